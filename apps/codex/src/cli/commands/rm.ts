import type { CommandContext } from '@holdfast/cli';

import { seenPath } from '../../service/paths.ts';
import type { Request } from '../../service/requests.ts';
import { folderAt } from '../../store/folders.ts';
import { eventData, showEvent } from '../view/event.ts';
import { chosenNotebook, type CliContext, perform, withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly path: string };
  readonly options: CliContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withCodex(context, async (codex) => {
    const notebook = chosenNotebook(codex, context);
    const path = await seenPath(codex, notebook, context.args.path);
    const isFolder = folderAt(codex.store.reader, notebook.id, path) !== undefined;
    const request: Request = isFolder ? { type: 'delete_folder', path } : { type: 'delete', file: { path } };
    const event = await perform(codex, context, notebook, request);
    context.out.result(eventData(event), (page) => {
      showEvent(page, event);
      page.line(`To undo this: holdfast codex undelete ${event.id}`);
    });
  });
}
