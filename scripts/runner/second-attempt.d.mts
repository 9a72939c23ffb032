import type { Counts } from './vitest.d.mts';

export interface FileResult {
  readonly name: string;
  readonly status: string;
  readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
}

export interface Failures {
  readonly files: readonly string[];
  readonly tests: readonly string[];
}

export declare function repeatableFailures(report: string, repeatable: RegExp, folder: string): Failures | undefined;
export declare function countsTogether(first: string, second: string): Counts;
