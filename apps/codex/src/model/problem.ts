/** The part of the work on a notebook that failed. */
export type ProblemSource = 'queue' | 'notes' | 'watching' | 'git';

/** Remembers the current problem of each part until it works again. */
export interface ProblemReporter {
  report(notebookId: number, source: ProblemSource, error: unknown): void;
  clear(notebookId: number, source: ProblemSource): void;
}
