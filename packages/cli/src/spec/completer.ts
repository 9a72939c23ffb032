/** Values that only the program knows at the time of asking, for example the ids of open tasks. */

export interface Candidate {
  readonly value: string;
  readonly summary?: string;
}

export interface CompletionRequest {
  /** The beginning of the word. Candidates that do not start with it are dropped. */
  readonly typed: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface CompleterModule {
  readonly complete: (request: CompletionRequest) => readonly Candidate[] | Promise<readonly Candidate[]>;
}

/** Paths are left to the shell; anything else is asked of a module that is loaded only then. */
export type Completer = 'file' | 'directory' | (() => Promise<CompleterModule>);
