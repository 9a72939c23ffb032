import type { CommandContext } from '@holdfast/cli';

import { pastPath } from '../../service/paths.ts';
import { restoreRequest } from '../../service/restore-file.ts';
import { eventData, showEvent } from '../view/event.ts';
import { chosenNotebook, type CliContext, perform, withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly path: string; readonly commit: string };
  readonly options: CliContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withCodex(context, async (codex) => {
    const notebook = chosenNotebook(codex, context);
    const path = pastPath(codex.store.reader, notebook.id, context.args.path);
    const request = await restoreRequest(codex, notebook.id, path, context.args.commit);
    const event = await perform(codex, context, notebook, request);
    context.out.result(eventData(event), (page) => showEvent(page, event));
  });
}
