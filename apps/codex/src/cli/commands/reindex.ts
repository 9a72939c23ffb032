import type { CommandContext } from '@holdfast/cli';

import { namedNotebook } from '../../store/notebooks.ts';
import { chosenNotebook, type CodexContext, withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly notebook: string | undefined };
  readonly options: CodexContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, out } = context;
  await withCodex(context, async (engine) => {
    const { reader } = engine.codex.store;
    const notebook =
      args.notebook === undefined ? chosenNotebook(engine, context) : namedNotebook(reader, args.notebook);
    const progress = context.progress(`Reading ${notebook.path}`);
    const report = await engine.notes.rebuild(notebook).finally(() => progress.finish());
    out.result(report, (page) => page.line(`${report.indexed} of ${report.files} files were read and indexed`));
  });
}
