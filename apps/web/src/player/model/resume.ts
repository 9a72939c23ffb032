import type { PlaybackEvent, Progress } from '../../api/types.ts';

/** Where playback starts: at `atMs`, or at the newest known position, sent to the server or not. */
export function startPosition(
  atMs: number | undefined,
  known: Progress | undefined,
  unsent: Pick<PlaybackEvent, 'position_ms' | 'occurred_at'> | undefined,
): number {
  if (atMs !== undefined) return atMs;
  if (unsent !== undefined && (known === undefined || unsent.occurred_at > known.updated_at)) return unsent.position_ms;
  // A finished book starts again.
  return known === undefined || known.finished ? 0 : known.position_ms;
}

const SAME_POSITION_MS = 5_000;

export interface Here {
  readonly device: string;
  readonly positionMs: number;
  /** The latest revision of the book's progress that this tab has seen. */
  readonly revision: number;
}

/** Whether another device has moved on since this tab last heard of the book. */
export function isFurtherElsewhere(known: Progress, here: Here): boolean {
  return (
    known.revision > here.revision &&
    known.device_id !== here.device &&
    Math.abs(known.position_ms - here.positionMs) > SAME_POSITION_MS
  );
}
