import type { Options } from './arguments.d.mts';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export declare function vitestArguments(step: string, project: string, options: Options): readonly string[];
export declare function readCounts(step: string): Counts | undefined;
export declare function countsOf(report: string): Counts;
