import { MINUTE } from '@holdfast/base';
import type { CommandContext } from '@holdfast/cli';

import { chosenNotebook, type CliContext, withCodex } from '../with-codex.ts';

interface Input {
  readonly options: CliContext['options'] & { readonly withoutDisks: boolean };
}

const WAIT_MS: number = 10 * MINUTE;

export async function run(context: CommandContext<Input>): Promise<void> {
  await withCodex(context, async (codex) => {
    const notebook = chosenNotebook(codex, context);
    const { withoutDisks } = context.options;
    const progress = context.progress(`Comparing ${notebook.path}`);
    const report = await codex.reconcile(notebook, WAIT_MS, { withoutDisks }).finally(() => progress.finish());
    context.out.result(report, (page) => {
      page.line(`${report.seen} files were looked at, ${report.queued} differences taken over`);
      for (const { path, reason } of report.skipped) page.line(`${path} ${reason}`);
    });
  });
}
