import type { Progress } from '../../api/types.ts';

/** A place that this browser knows of and the server may not: its connection was lost. */
export interface UnsentPlace {
  readonly positionMs: number;
  readonly at: string;
}

/** Where a book begins to play: where somebody asked for, else where they were last, here or elsewhere. */
export function startPlace(
  atMs: number | undefined,
  known: Progress | undefined,
  unsent: UnsentPlace | undefined,
): number {
  if (atMs !== undefined) return atMs;
  if (unsent !== undefined && (known === undefined || unsent.at > known.updated_at)) return unsent.positionMs;
  // A book that was finished is listened to once more from its beginning.
  return known === undefined || known.finished ? 0 : known.position_ms;
}

const SAME_PLACE_MS = 5_000;

export interface Here {
  readonly device: string;
  readonly positionMs: number;
  /** Of the last answer of the server that this tab has heard about the book. */
  readonly revision: number;
}

/** Whether somebody went on with another device since this tab last heard of the book, and came to another place. */
export function isFurtherElsewhere(known: Progress, here: Here): boolean {
  return (
    known.revision > here.revision &&
    known.device_id !== here.device &&
    Math.abs(known.position_ms - here.positionMs) > SAME_PLACE_MS
  );
}
