/** What a writer of the campaign `store` has to do. */
export interface Task {
  readonly name: string;
  readonly database: string;
  /** Where it writes what it starts and what it is told. */
  readonly toldFile: string;
  /** The first number of each lane; lanes run at the same time. */
  readonly firstNumbers: readonly number[];
  readonly seed: number;
  /** Claims every commit before it is made: to see that the campaign notices. */
  readonly isLiar: boolean;
}
