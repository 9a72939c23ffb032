import type { PlaybackEvent, Progress } from '../../api/types.ts';

/**
 * Returns the position at which playback starts: `atMs` if given; if not, the newest position from the server or from
 * an unsent report.
 */
export function startPosition(
  atMs: number | undefined,
  known: Progress | undefined,
  unsent: Pick<PlaybackEvent, 'position_ms' | 'occurred_at'> | undefined,
): number {
  if (atMs !== undefined) return atMs;
  if (unsent !== undefined && (known === undefined || unsent.occurred_at > known.updated_at)) return unsent.position_ms;
  // A finished book starts from the beginning.
  return known === undefined || known.finished ? 0 : known.position_ms;
}

const SAME_POSITION_MS = 5_000;

interface Here {
  readonly device: string;
  readonly positionMs: number;
  /** The latest revision of the book's progress that this tab has seen. */
  readonly revision: number;
}

/** Returns whether another device has reported a different position since this tab last received the progress. */
export function isFurtherElsewhere(known: Progress, here: Here): boolean {
  return (
    known.revision > here.revision &&
    known.device_id !== here.device &&
    Math.abs(known.position_ms - here.positionMs) > SAME_POSITION_MS
  );
}

export const BATCH = 100;
const REPORTS_MAX = 4_000;

/** Returns the oldest reports in order. */
export function oldestReports(waiting: Iterable<PlaybackEvent>, size: number): readonly PlaybackEvent[] {
  return [...waiting].toSorted(byTime).slice(0, size);
}

/**
 * Returns the progress reports to drop when too many are waiting: every second one, but never the last one of a book.
 */
export function excessReports(waiting: Iterable<PlaybackEvent>): readonly PlaybackEvent[] {
  const all = [...waiting].toSorted(byTime);
  const excess = all.length - REPORTS_MAX;
  if (excess <= 0) return [];
  const newest = new Map(all.map((event) => [event.book_id, event.event_id]));
  return all
    .filter((event, at) => at % 2 === 1 && event.event_type === 'progress')
    .filter((event) => newest.get(event.book_id) !== event.event_id)
    .slice(0, excess);
}

export function newestReport(waiting: Iterable<PlaybackEvent>, bookId: string): PlaybackEvent | undefined {
  return [...waiting]
    .filter((event) => event.book_id === bookId)
    .toSorted(byTime)
    .at(-1);
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

export function retryDelay(failures: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(failures, 10), LONGEST_WAIT_MS);
}

/** Sorts by time; reports with the same time keep their order. */
function byTime(left: PlaybackEvent, right: PlaybackEvent): number {
  return left.occurred_at < right.occurred_at ? -1 : left.occurred_at > right.occurred_at ? 1 : 0;
}
