import type { CommandContext } from '@holdfast/cli';
import { editAuthor } from '../../service/changes/edit-author.ts';
import { withLibrary } from '../with-library.ts';

interface Input {
  readonly args: { readonly author: string; readonly name: string };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const author = await withLibrary(context, (audiobooks) => editAuthor(audiobooks, context.args));
  context.out.result({ ...author }, (page) => page.line(`${author.name} (also ${author.aliases.join(', ')})`));
}
