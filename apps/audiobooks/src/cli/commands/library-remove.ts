import type { CommandContext } from '@holdfast/cli';
import { listLibraries, removeLibrary } from '../../service/libraries.ts';
import { namedLibrary } from '../chosen-library.ts';
import { libraryRow } from '../view/libraries.ts';
import { withLibrary } from '../with-library.ts';

interface Input {
  readonly args: { readonly library: string };
  readonly options: { readonly yes: boolean };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  const library = await withLibrary(context, async (audiobooks) => {
    const row = await libraryRow(audiobooks, namedLibrary(await listLibraries(audiobooks), args.library));
    if (options.yes) await removeLibrary(audiobooks, row.id);
    return row;
  });
  out.result({ ...library, removed: options.yes }, (page) => {
    const books = `${library.books} ${library.books === 1 ? 'book' : 'books'}`;
    if (options.yes) {
      page.line(`${library.name} is off, with ${books}. No file was touched.`);
      page.line(`Back: holdfast audiobooks scan ${library.root}`);
    } else {
      page.line(`${library.name} (${library.root}) and ${books} would leave the lists; no file would be touched.`);
      page.line('Do it with --yes.');
    }
  });
}
