export const EIO = 5;
export const ENOSPC = 28;

/** Which calls fail, and how: every `step`-th from `from` to `to`. */
export interface FaultPlan {
  readonly errno: number;
  readonly mode: 'once' | 'on';
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** What a run under one fault was told. */
export interface FaultRun {
  readonly n: number;
  readonly path: string;
  fired: boolean;
  /** Codes of failed attempts to open. */
  readonly opening: string[];
  /** Number and revision. */
  readonly acknowledged: [number, number][];
  /** Number and code. */
  readonly failed: [number, string][];
  /** What the same process read after the disk was healed. */
  readonly seen: number[];
  readonly problems: string[];
}
