import type { Options } from './arguments.d.mts';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export declare function vitestArguments(step: string, project: string, options: Options): readonly string[];
/** What the test runner wrote about this run of the step. */
export declare function readReport(step: string): string | undefined;
export declare function countsOf(report: string): Counts;
