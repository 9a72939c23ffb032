import type { CommandContext } from '@holdfast/cli';

import { fileDiff, fileHistory } from '../../git/history.ts';
import { codexErrors } from '../../model/errors.ts';
import { pastPath } from '../../service/paths.ts';
import { chosenNotebook, type CliContext, withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly path: string; readonly to: string | undefined; readonly from: string | undefined };
  readonly options: CliContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, isJson, out } = context;
  await withCodex(context, async (codex) => {
    const notebook = chosenNotebook(codex, context);
    const opened = await codex.git.repository(notebook.id);
    const path = pastPath(codex.store.reader, notebook.id, args.path);
    const [last] = await fileHistory(opened, path, { limit: 1 });
    if (last === undefined) {
      throw codexErrors.FILE_NOT_FOUND(`The history has no file ${JSON.stringify(path)}`, {
        hint: "'holdfast codex history' shows what was committed, 'holdfast codex ls' what there is.",
      });
    }
    const { to = last.sha, from } = args;
    const diff = await fileDiff(opened, path, to, from);
    if (isJson) out.result({ path, to, from: from ?? null, diff }, () => undefined);
    else out.raw(diff);
  });
}
