import type { Command } from './steps.d.mts';

export interface ChildResult {
  readonly exitCode: number;
  /** Why the command did not come to its own end. */
  readonly problem?: string;
  readonly interrupted?: number;
}

export declare function runChild(
  command: Command,
  limitMs: number,
  onOutput?: (chunk: Buffer) => void,
): Promise<ChildResult>;
