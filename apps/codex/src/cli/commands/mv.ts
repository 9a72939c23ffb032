import type { CommandContext } from '@holdfast/cli';

import { notebookPath } from '../../model/path.ts';
import type { Request } from '../../service/requests.ts';
import { seenPath } from '../../service/seen-path.ts';
import { folderAt } from '../../store/folders.ts';
import { eventData, showEvent } from '../view/event.ts';
import { chosenNotebook, type CodexContext, perform, withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly source: string; readonly target: string };
  readonly options: CodexContext['options'] & { readonly keepLinks: boolean };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const dest_path = notebookPath(context.args.target);
  await withCodex(context, async (engine) => {
    const notebook = chosenNotebook(engine, context);
    const path = await seenPath(engine, notebook, context.args.source);
    const links = context.options.keepLinks ? 'keep' : undefined;
    const isFolder = folderAt(engine.codex.store.reader, notebook.id, path) !== undefined;
    const request: Request = isFolder
      ? { type: 'move_folder', path, dest_path, links }
      : { type: 'move', file: { path }, dest_path, links };
    const event = await perform(engine, context, notebook, request);
    context.out.result(eventData(event), (page) => showEvent(page, event));
  });
}
