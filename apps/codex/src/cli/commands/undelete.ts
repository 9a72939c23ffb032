import type { CommandContext } from '@holdfast/cli';

import { nothingInTrash } from '../../model/errors.ts';
import { notebookPath } from '../../model/path.ts';
import { lastDeleted } from '../../service/expand-requests.ts';
import { eventData, showEvent } from '../view/event.ts';
import { chosenNotebook, type CliContext, perform, withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly event: number | undefined };
  readonly options: CliContext['options'] & { readonly to: string | undefined };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { to } = context.options;
  const path = to === undefined ? undefined : notebookPath(to);
  await withCodex(context, async (codex) => {
    const notebook = chosenNotebook(codex, context);
    const event_id = context.args.event ?? lastDeleted(codex.store.reader, notebook.id)?.event_id;
    if (event_id === undefined) throw nothingInTrash('The trash of this notebook is empty');
    const event = await perform(codex, context, notebook, { type: 'undo_delete', event_id, path });
    context.out.result(eventData(event), (page) => showEvent(page, event));
  });
}
