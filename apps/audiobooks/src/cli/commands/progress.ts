import type { CommandContext } from '@holdfast/cli';
import { listProgress } from '../../service/listening/progress.ts';
import { readBook } from '../../store/books.ts';
import { chosenListener } from '../chosen-listener.ts';
import { lengthText } from '../view/books.ts';
import { withLibrary } from '../with-library.ts';

interface Input {
  readonly options: {
    readonly user: string | undefined;
    readonly limit: number;
    readonly cursor: string | undefined;
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { options, out, note } = context;
  const { items, cursor } = await withLibrary(context, async (audiobooks) => {
    const places = await listProgress(audiobooks, await chosenListener(audiobooks, options.user), options);
    const rows = places.items.map(async (place) => ({
      book_id: place.book_id,
      title: (await readBook(audiobooks.store, place.book_id))?.title ?? '(gone)',
      position_ms: place.book_position_ms,
      percent: place.percent_complete,
      finished: place.finished,
      updated_at: place.updated_at,
    }));
    return { items: await Promise.all(rows), cursor: places.cursor };
  });
  out.result(items, (page) => {
    if (items.length === 0) page.line('No book was begun yet.');
    else
      page.table(items, [
        { heading: 'TITLE', value: ({ title }) => title, flexible: true },
        { heading: 'PLACE', value: ({ position_ms: position }) => lengthText(position), align: 'right' },
        { heading: '%', value: ({ percent }) => String(percent), align: 'right' },
        { heading: 'FINISHED', value: ({ finished }) => (finished ? 'yes' : '') },
        { heading: 'LAST', value: ({ updated_at: at }) => at.slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' ') },
      ]);
  });
  if (cursor !== undefined) note(`There are more: --cursor ${cursor}`);
}
