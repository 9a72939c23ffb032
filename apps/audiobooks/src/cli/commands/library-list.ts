import type { CommandContext } from '@holdfast/cli';
import { listLibraries } from '../../service/libraries.ts';
import { LIBRARY_COLUMNS, libraryRow } from '../view/libraries.ts';
import { withLibrary } from '../with-library.ts';

export async function run(context: CommandContext<object>): Promise<void> {
  const rows = await withLibrary(context, async (audiobooks) =>
    Promise.all((await listLibraries(audiobooks)).map((library) => libraryRow(audiobooks, library))),
  );
  context.out.result(rows, (page) => {
    if (rows.length === 0) page.line("There is no library yet: 'holdfast audiobooks scan DIR' makes one.");
    else page.table(rows, LIBRARY_COLUMNS);
  });
}
