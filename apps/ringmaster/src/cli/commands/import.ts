import type { CommandContext } from '@holdfast/cli';

import { readText } from '../../adapters/files.ts';
import { importBeads } from '../../service/import-beads.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly options: RingmasterContext['options'] & {
    readonly fromBeads: string;
    readonly dryRun: boolean;
    readonly strict: boolean;
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { options, out } = context;
  const text = readText(options.fromBeads);
  await withRingmaster(context, async (rm) => {
    const { project, dryRun, strict, fromBeads } = options;
    const report = await importBeads(rm, { text, source: fromBeads, project, dry_run: dryRun, strict });
    out.result(report, (page) => {
      for (const { line, id, message } of report.problems)
        page.line(`line ${line}${id === null ? '' : ` ${id}`}: ${message}`);
      page.line(
        `${report.created} new, ${report.updated} changed, ${report.unchanged} as they were, ${report.skipped} left alone, ` +
          `${report.kept} kept aside; ${report.links} links, ${report.unresolved} of them waiting${dryRun ? ' (dry run)' : ''}`,
      );
    });
  });
}
