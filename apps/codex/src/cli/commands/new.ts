import type { CommandContext } from '@holdfast/cli';

import { createNote } from '../../service/new-note.ts';
import { showFile } from '../view/file.ts';
import { authorOf, chosenNotebook, type CliContext, withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly title: string | undefined };
  readonly options: CliContext['options'] & {
    readonly template: string | undefined;
    readonly path: string | undefined;
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { template, path } = context.options;
  await withCodex(context, async (codex) => {
    const notebook = chosenNotebook(codex, context);
    const { title } = context.args;
    const author = await authorOf(codex, notebook, context.env);
    showFile(context.out, notebook, await createNote(codex, notebook, author, { template, path, title }));
  });
}
