/** Candidates known only at run time, for example the ids of open tasks. */

export interface Candidate {
  readonly value: string;
  readonly summary?: string;
}

export interface CompletionRequest {
  /** Start of the word. Other candidates are dropped. */
  readonly typed: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface CompleterModule {
  readonly complete: (request: CompletionRequest) => readonly Candidate[] | Promise<readonly Candidate[]>;
}

/** The shell completes paths; other candidates come from a module loaded on demand. */
export type Completer = 'file' | 'directory' | (() => Promise<CompleterModule>);
