import type { ExitCode } from '../spec/command.ts';
import { style } from '../text/text.ts';
import type { Output } from './output.ts';

interface Verified {
  readonly keys: number;
  readonly records: number;
  readonly indexes: number;
  readonly problems: readonly {
    readonly kind: string;
    readonly key: string;
    readonly detail: string;
    readonly repaired: boolean;
  }[];
}

/** What the check of a keyspace found. Exit code 1 says that something is wrong and still is. */
export function tellVerified(out: Output, report: Verified): ExitCode {
  const { keys, records, indexes, problems } = report;
  out.result(report, (page) => {
    for (const { kind, key, detail, repaired } of problems) {
      page.line(repaired ? style.green('repaired') : style.red('problem'), ` ${kind} ${key}: ${detail}`);
    }
    page.line(`${keys} keys, ${records} records, ${indexes} index entries, ${problems.length} problems`);
  });
  return problems.some(({ repaired }) => !repaired) ? 1 : 0;
}
