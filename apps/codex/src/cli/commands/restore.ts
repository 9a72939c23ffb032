import type { CommandContext } from '@holdfast/cli';

import { pastPath } from '../../service/known-path.ts';
import { restoreRequest } from '../../service/restore-file.ts';
import { eventData, showEvent } from '../view/event.ts';
import { chosenNotebook, type CodexContext, perform, withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly path: string; readonly commit: string };
  readonly options: CodexContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withCodex(context, async (engine) => {
    const notebook = chosenNotebook(engine, context);
    const path = pastPath(engine.codex.store.reader, notebook.id, context.args.path);
    const request = await restoreRequest(engine, notebook.id, path, context.args.commit);
    const event = await perform(engine, context, notebook, request);
    context.out.result(eventData(event), (page) => showEvent(page, event));
  });
}
