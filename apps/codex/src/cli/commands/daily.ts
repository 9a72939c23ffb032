import type { CommandContext } from '@holdfast/cli';

import { dailyNote } from '../../service/new-note.ts';
import { showFile } from '../view/file.ts';
import { authorOf, chosenNotebook, type CliContext, withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly date: string | undefined };
  readonly options: CliContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withCodex(context, async (codex) => {
    const notebook = chosenNotebook(codex, context);
    const author = await authorOf(codex, notebook, context.env);
    const { file } = await dailyNote(codex, notebook, author, context.args.date);
    showFile(context.out, notebook, file);
  });
}
