import type { CommandContext } from '@holdfast/cli';

import { fileDiff } from '../../git/history.ts';
import { pastPath } from '../../service/known-path.ts';
import { chosenNotebook, type CodexContext, withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly path: string; readonly to: string | undefined; readonly from: string | undefined };
  readonly options: CodexContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { path, to = 'HEAD', from } = context.args;
  await withCodex(context, async (engine) => {
    const notebook = chosenNotebook(engine, context);
    const opened = await engine.git.repository(notebook.id);
    const place = pastPath(engine.codex.store.reader, notebook.id, path);
    context.out.raw(await fileDiff(opened, place, to, from));
  });
}
