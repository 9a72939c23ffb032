export interface Task {
  readonly name: string;
  readonly database: string;
  /** File for what it starts and is told. */
  readonly toldFile: string;
  /** First number of each lane; lanes run concurrently. */
  readonly firstNumbers: readonly number[];
  readonly seed: number;
  /** Acknowledges every commit early, to test that the campaign notices. */
  readonly isLiar: boolean;
}
