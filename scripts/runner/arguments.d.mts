export interface Options {
  /** Names of steps; undefined means that the kind of run decides. */
  readonly only: readonly string[] | undefined;
  /** Parts of the paths of test files. */
  readonly filters: readonly string[];
  /** A pattern that the names of tests have to match. */
  readonly testName: string | undefined;
  readonly list: boolean;
  readonly help: boolean;
}

export declare function parseOptions(argv: readonly string[], stepNames: readonly string[]): Options;
