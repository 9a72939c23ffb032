import type { ExitCode } from '../spec/command.ts';
import { style } from '../text/text.ts';
import type { Output } from './output.ts';
import type { Page } from './page.ts';

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

/** Prints the result of a keyspace check. */
export function tellVerified(out: Output, report: Verified): ExitCode {
  out.result(report, (page) => printVerified(report, page));
  return verifiedExitCode(report);
}

export function printVerified({ keys, records, indexes, problems }: Verified, page: Page): void {
  for (const { kind, key, detail, repaired } of problems) {
    page.line(repaired ? style.green('repaired') : style.red('problem'), ` ${kind} ${key}: ${detail}`);
  }
  const found = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  page.line(`${keys} keys, ${records} records, ${indexes} index entries, ${found}`);
}

/** Returns 1 if a problem remains. */
export function verifiedExitCode({ problems }: Verified): ExitCode {
  return problems.some(({ repaired }) => !repaired) ? 1 : 0;
}
