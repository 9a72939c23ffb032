import type { CommandContext } from '@holdfast/cli';

import { namedNotebook } from '../../store/notebooks.ts';
import { chosenNotebook, type CliContext, withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly notebook: string | undefined };
  readonly options: CliContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, out } = context;
  await withCodex(context, async (codex) => {
    const { reader } = codex.store;
    const notebook =
      args.notebook === undefined ? chosenNotebook(codex, context) : namedNotebook(reader, args.notebook);
    const progress = context.progress(`Reading ${notebook.path}`);
    const report = await codex.notes.rebuild(notebook).finally(() => progress.finish());
    out.result(report, (page) => page.line(`${report.indexed} of ${report.files} files were read and indexed`));
  });
}
