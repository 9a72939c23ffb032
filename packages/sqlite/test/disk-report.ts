/** What a program on a disk that kept filling up was told. */
export interface DiskReport {
  readonly acknowledged: number[];
  /** Number and code. */
  readonly failed: [number, string][];
  /** Codes of failed backups. */
  readonly backups: string[];
  /** Codes of databases that could not be opened: one that exists, one that is new. */
  readonly openings: string[];
  readonly rounds: { failed: number; worksAgain: boolean }[];
  readonly seen: number[];
  readonly problems: string[];
  readonly files: string[];
}
