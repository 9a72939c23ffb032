/** Results of a program whose disk filled up repeatedly. */
export interface DiskReport {
  readonly acknowledged: number[];
  /** Row number and error code. */
  readonly failed: [number, string][];
  /** Error codes of failed backups. */
  readonly backups: string[];
  /** Error codes of databases that failed to open: an existing one and a new one. */
  readonly openings: string[];
  readonly rounds: { failed: number; worksAgain: boolean }[];
  readonly seen: number[];
  readonly problems: string[];
  readonly files: string[];
}
