import type { CommandContext } from '@holdfast/cli';

import { dailyNote } from '../../service/new-note.ts';
import { showFile } from '../view/file.ts';
import { authorOf, chosenNotebook, type CodexContext, withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly date: string | undefined };
  readonly options: CodexContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withCodex(context, async (engine) => {
    const notebook = chosenNotebook(engine, context);
    const author = await authorOf(engine, notebook, context.env);
    const { file } = await dailyNote(engine, notebook, author, context.args.date);
    showFile(context.out, notebook, file);
  });
}
