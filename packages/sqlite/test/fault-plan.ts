export const EIO = 5;
export const ENOSPC = 28;

/** The faults to inject. Each run injects one fault, at call `from`, `from + step` and so on, up to `to`. */
export interface FaultPlan {
  readonly errno: number;
  readonly mode: 'once' | 'on';
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** Results of a run with one fault. */
export interface FaultRun {
  readonly n: number;
  readonly path: string;
  fired: boolean;
  /** Error codes of failed attempts to open. */
  readonly opening: string[];
  /** Row number and revision. */
  readonly acknowledged: [number, number][];
  /** Row number and error code. */
  readonly failed: [number, string][];
  /** Rows that the same process read after the fault ended. */
  readonly seen: number[];
  readonly problems: string[];
}
