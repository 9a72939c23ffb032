/** A line, or a part of one, that was not taken as it is. */
export interface ImportProblem {
  readonly line: number;
  readonly id: string | null;
  readonly kind: string;
  readonly message: string;
}

export interface ImportReport {
  readonly project: string;
  readonly lines: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Lines that are no issues and were kept: memories, headers, tombstones. */
  readonly kept: number;
  readonly skipped: number;
  readonly links: number;
  readonly unresolved: number;
  readonly resolved: number;
  readonly problems: readonly ImportProblem[];
  readonly dryRun: boolean;
}
