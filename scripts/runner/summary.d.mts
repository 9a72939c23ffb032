import type { Counts } from './vitest.d.mts';

export interface Outcome {
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'nothing to do' | 'not run';
  readonly detail: string;
  readonly seconds: number;
  readonly counts?: Counts | undefined;
  /** Names of the tests that failed at first and then passed. */
  readonly repeated?: readonly string[] | undefined;
  /** The exit code that a signal from outside asks for. */
  readonly interrupted?: number | undefined;
}

export declare function summaryTable(outcomes: readonly Outcome[]): string;
export declare function lastLine(outcomes: readonly Outcome[]): string;
