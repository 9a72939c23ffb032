import type { CommandContext } from '@holdfast/cli';

import { notebookPath } from '../../model/path.ts';
import { seenPath } from '../../service/paths.ts';
import type { Request } from '../../service/requests.ts';
import { folderAt } from '../../store/folders.ts';
import { eventData, showEvent } from '../view/event.ts';
import { chosenNotebook, type CliContext, perform, withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly source: string; readonly target: string };
  readonly options: CliContext['options'] & { readonly keepLinks: boolean };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const dest_path = notebookPath(context.args.target);
  await withCodex(context, async (codex) => {
    const notebook = chosenNotebook(codex, context);
    const path = await seenPath(codex, notebook, context.args.source);
    const links = context.options.keepLinks ? 'keep' : undefined;
    const isFolder = folderAt(codex.store.reader, notebook.id, path) !== undefined;
    const request: Request = isFolder
      ? { type: 'move_folder', path, dest_path, links }
      : { type: 'move', file: { path }, dest_path, links };
    const event = await perform(codex, context, notebook, request);
    context.out.result(eventData(event), (page) => showEvent(page, event));
  });
}
