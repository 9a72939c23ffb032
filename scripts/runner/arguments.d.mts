export interface Options {
  /** Names of steps; defaults to those of the kind of run. */
  readonly only: readonly string[] | undefined;
  /** Substrings of test file paths. */
  readonly filters: readonly string[];
  /** Pattern for test names. */
  readonly testName: string | undefined;
  readonly list: boolean;
  readonly help: boolean;
}

export declare function parseOptions(argv: readonly string[], stepNames: readonly string[]): Options;
