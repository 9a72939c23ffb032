import type { CommandContext } from '@holdfast/cli';
import { rowOf } from '../../model/book-row.ts';
import { pageOfItems } from '../../service/playlists/items.ts';
import { listPlaylists, seenPlaylist } from '../../service/playlists/playlists.ts';
import { evaluateQuery } from '../../service/playlists/smart.ts';
import { chosenListener } from '../chosen-listener.ts';
import { printBooks } from '../view/books.ts';
import { withLibrary } from '../with-library.ts';

interface Input {
  readonly args: { readonly playlist: string | undefined };
  readonly options: {
    readonly user: string | undefined;
    readonly limit: number;
    readonly cursor: string | undefined;
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out, note } = context;
  const id = args.playlist?.toUpperCase();
  if (id === undefined) {
    const { items, cursor } = await withLibrary(context, async (catalogue) =>
      listPlaylists(catalogue, await chosenListener(catalogue, options.user), options),
    );
    out.result(items, (page) => {
      if (items.length === 0) page.line('There are no playlists.');
      else
        page.table(items, [
          { heading: 'id', value: (list) => list.id },
          { heading: 'name', value: (list) => list.name, flexible: true },
          { heading: 'kind', value: (list) => list.kind },
          { heading: 'whose', value: (list) => (list.user_id === null ? 'everybody' : 'own') },
        ]);
    });
    if (cursor !== undefined) note(`There are more: --cursor ${cursor}`);
    return;
  }
  const { items, cursor } = await withLibrary(context, async (catalogue) => {
    const listener = { ...(await chosenListener(catalogue, options.user)), mayEdit: false };
    const playlist = await seenPlaylist(catalogue.store, listener, id);
    if (playlist.query !== null) return evaluateQuery(catalogue, listener, playlist.query, options);
    const found = await pageOfItems(catalogue.store, listener, id, options);
    return { items: found.items.map(({ book }) => book), cursor: found.cursor };
  });
  const rows = items.map(rowOf);
  out.result(rows, (page) => printBooks(page, rows, 'No books.'));
  if (cursor !== undefined) note(`There are more: --cursor ${cursor}`);
}
