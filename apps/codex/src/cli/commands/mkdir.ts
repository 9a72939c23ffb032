import type { CommandContext } from '@holdfast/cli';

import { notebookPath } from '../../model/path.ts';
import { eventData, showEvent } from '../view/event.ts';
import { chosenNotebook, type CliContext, perform, withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly path: string };
  readonly options: CliContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const path = notebookPath(context.args.path);
  await withCodex(context, async (codex) => {
    const event = await perform(codex, context, chosenNotebook(codex, context), { type: 'create_folder', path });
    context.out.result(eventData(event), (page) => showEvent(page, event));
  });
}
