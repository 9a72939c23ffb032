import type { Counts } from './vitest.d.mts';

export interface Outcome {
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'nothing to do' | 'not run';
  readonly detail: string;
  readonly seconds: number;
  readonly counts?: Counts | undefined;
  /** Tests that failed first and then passed. */
  readonly repeated?: readonly string[] | undefined;
  /** Exit code for a signal from outside. */
  readonly interrupted?: number | undefined;
}

export declare function summaryTable(outcomes: readonly Outcome[]): string;
export declare function lastLine(outcomes: readonly Outcome[]): string;
