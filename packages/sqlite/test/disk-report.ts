/** Results of a program whose disk filled up repeatedly. */
export interface DiskReport {
  readonly acknowledged: number[];
  /** Row number and error code. */
  readonly failed: [number, string][];
  /** Error codes of failed backups. */
  readonly backups: string[];
  /** Error codes from attempts to open an existing and a new database. */
  readonly openings: string[];
  readonly rounds: { failed: number; worksAgain: boolean }[];
  readonly seen: number[];
  readonly problems: string[];
  readonly files: string[];
}
