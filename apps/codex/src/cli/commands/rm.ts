import type { CommandContext } from '@holdfast/cli';

import type { Request } from '../../service/requests.ts';
import { seenPath } from '../../service/seen-path.ts';
import { folderAt } from '../../store/folders.ts';
import { eventData, showEvent } from '../view/event.ts';
import { chosenNotebook, type CodexContext, perform, withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly path: string };
  readonly options: CodexContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withCodex(context, async (engine) => {
    const notebook = chosenNotebook(engine, context);
    const path = await seenPath(engine, notebook, context.args.path);
    const isFolder = folderAt(engine.codex.store.reader, notebook.id, path) !== undefined;
    const request: Request = isFolder ? { type: 'delete_folder', path } : { type: 'delete', file: { path } };
    const event = await perform(engine, context, notebook, request);
    context.out.result(eventData(event), (page) => {
      showEvent(page, event);
      page.line(`To undo this: holdfast codex undelete ${event.id}`);
    });
  });
}
