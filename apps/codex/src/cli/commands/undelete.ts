import type { CommandContext } from '@holdfast/cli';

import { nothingInTrash } from '../../model/errors.ts';
import { notebookPath } from '../../model/path.ts';
import { lastDeleted } from '../../service/deleted-together.ts';
import { eventData, showEvent } from '../view/event.ts';
import { chosenNotebook, type CodexContext, perform, withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly event: number | undefined };
  readonly options: CodexContext['options'] & { readonly to: string | undefined };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { to } = context.options;
  const path = to === undefined ? undefined : notebookPath(to);
  await withCodex(context, async (engine) => {
    const notebook = chosenNotebook(engine, context);
    const event_id = context.args.event ?? lastDeleted(engine.codex.store.reader, notebook.id)?.event_id;
    if (event_id === undefined) throw nothingInTrash('The trash of this notebook is empty');
    const event = await perform(engine, context, notebook, { type: 'undo_delete', event_id, path });
    context.out.result(eventData(event), (page) => showEvent(page, event));
  });
}
