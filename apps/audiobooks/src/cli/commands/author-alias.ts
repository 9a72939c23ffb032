import type { CommandContext } from '@holdfast/cli';
import { editAuthor } from '../../service/changes/edit-author.ts';
import { withLibrary } from '../with-library.ts';

interface Input {
  readonly args: { readonly author: string };
  readonly options: { readonly add: readonly string[]; readonly remove: readonly string[] };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { add, remove } = context.options;
  const request = { author: context.args.author, addAliases: add, removeAliases: remove };
  const author = await withLibrary(context, (audiobooks) => editAuthor(audiobooks, request));
  context.out.result({ ...author }, (page) => page.lines([author.name, ...author.aliases.map((name) => `  ${name}`)]));
}
