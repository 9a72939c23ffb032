import type { PageRequest } from '../../operations/fields.ts';
import type { Page, Transaction } from '@holdfast/keyspace';
import { audiobookErrors } from '../../model/errors.ts';
import type { Jump, PlaybackEvent, Progress } from '../../model/playback.ts';
import { applyReport, FINISHED_WHEN, markFinished, markUnfinished, resetProgress } from '../../model/progress-rules.ts';
import { toTime } from '../../model/stored.ts';
import { eventNumbers, jumps, progress } from '../../store/definitions.ts';
import { rememberJump, writeEvent } from '../../store/listening.ts';
import { currentPosition, type CurrentPosition } from '../../store/timelines.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { type Listener, seenBook } from '../listener.ts';

/** Returns a user's progress in a book; undefined if the user never started the book or has reset it. */
export function progressIn(audiobooks: Audiobooks, listener: Listener, bookId: string): Promise<Progress | undefined> {
  return audiobooks.reader.snapshot(async (reads) => {
    await seenBook(reads, listener, bookId);
    const found = await reads.get(progress, { user_id: listener.userId, book_id: bookId });
    return found?.started === true ? found : undefined;
  });
}

/** Lists the progress of started and finished books, latest first. */
export function listProgress(
  { reader }: Audiobooks,
  { userId }: Listener,
  request: PageRequest,
): Promise<Page<Progress>> {
  return reader.snapshot(async (reads) => {
    const { items, cursor } = await reads.page(progress.by.recent, { user_id: userId }, { ...request, reverse: true });
    return { items: latestFirst(items), cursor };
  });
}

/** Sorts by the exact time, because the index is precise only to the minute. */
export function latestFirst(places: readonly Progress[]): readonly Progress[] {
  return places.toSorted((left, right) =>
    left.updated_at < right.updated_at ? 1 : left.updated_at > right.updated_at ? -1 : 0,
  );
}

export interface ProgressChange {
  readonly finished?: boolean | undefined;
  readonly position_ms?: number | undefined;
  /** Called inside the transaction with the current progress; may throw to refuse the change. */
  readonly expect?: (current: Progress | undefined) => void;
}

/** Sets progress that the user chose, as opposed to progress that a player reports. */
export function setProgress(
  audiobooks: Audiobooks,
  listener: Listener,
  bookId: string,
  change: ProgressChange,
): Promise<Progress> {
  const at = toTime(audiobooks.now());
  return audiobooks.store.transact(async (tx) => {
    await seenBook(tx, listener, bookId);
    const key = { user_id: listener.userId, book_id: bookId };
    const stored = await tx.get(progress, key);
    change.expect?.(stored?.started === true ? stored : undefined);
    const given = { positionMs: change.position_ms ?? stored?.book_position_ms ?? 0, generation: stored?.generation };
    const place = await playablePosition(
      tx,
      bookId,
      change.position_ms === undefined ? given : { positionMs: change.position_ms, generation: undefined },
    );
    const event = eventAt(audiobooks, key, place, stored, at, change);
    const moved = applyReport(stored, { ...event, event_type: 'seek' }, FINISHED_WHEN, true);
    const decided = decide(moved.progress, change.finished, at);
    const finishes = decided.completions > moved.progress.completions;
    // The user's choice must be newer than any report, even one from a device whose clock is fast.
    const after: Progress = { ...decided, updated_at: newest(at, stored?.updated_at) };
    await tx.put(progress, key, after);
    if (moved.jump !== undefined) await rememberJump(tx, key, moved.jump);
    if (finishes || change.position_ms !== undefined) {
      const seq = 1 + (await tx.get(eventNumbers, { user: listener.userId }));
      tx.add(eventNumbers, { user: listener.userId }, 1);
      const kept: PlaybackEvent = {
        ...event,
        event_type: finishes ? 'complete' : 'seek',
        seq,
        cycle: after.cycle,
        finishes,
      };
      await writeEvent(tx, kept);
    }
    return after;
  });
}

function newest(at: string, other: string | undefined): string {
  return other !== undefined && other > at ? other : at;
}

function decide(entry: Progress, finished: boolean | undefined, at: string): Progress {
  if (finished === undefined || finished === entry.finished) return entry;
  return finished ? markFinished(entry, newest(at, entry.restarted_to ?? undefined)) : markUnfinished(entry, at);
}

async function playablePosition(
  tx: Transaction,
  bookId: string,
  given: { readonly positionMs: number; readonly generation: number | undefined },
): Promise<CurrentPosition> {
  const place = await currentPosition(tx, bookId, given);
  if (typeof place === 'string') throw audiobookErrors.BOOK_WITHOUT_FILES('The book has no files to play.');
  return place;
}

function eventAt(
  { newId }: Audiobooks,
  key: { readonly user_id: string; readonly book_id: string },
  place: CurrentPosition,
  stored: Progress | undefined,
  at: string,
  change: ProgressChange,
): PlaybackEvent {
  const id = newId();
  return {
    ...key,
    id,
    segment_id: place.segmentId,
    position_seconds: place.positionMs / 1_000,
    book_position_ms: place.bookPositionMs,
    generation: place.generation,
    event_type: 'seek',
    play_speed: stored?.play_speed ?? 1,
    client_event_id: null,
    device_id: change.position_ms === undefined ? (stored?.device_id ?? null) : null,
    // The event has its own session, so that the time since the last report does not count as listening.
    session_id: id,
    seq: 0,
    book_duration_ms: place.totalMs,
    cycle: 0,
    finishes: false,
    occurred_at: newest(at, stored?.updated_at),
    created_at: at,
    version: 1,
  };
}

/** Marks the book as not started. Records the last position as a jump. */
export function forgetProgress(
  audiobooks: Audiobooks,
  listener: Listener,
  bookId: string,
  expect?: (current: Progress | undefined) => void,
): Promise<void> {
  const at = toTime(audiobooks.now());
  return audiobooks.store.transact(async (tx) => {
    await seenBook(tx, listener, bookId);
    const key = { user_id: listener.userId, book_id: bookId };
    const stored = await tx.get(progress, key);
    expect?.(stored?.started === true ? stored : undefined);
    if (stored === undefined || !stored.started) return;
    const start = await currentPosition(tx, bookId, { positionMs: 0, generation: undefined });
    const segmentId = typeof start === 'string' ? stored.segment_id : start.segmentId;
    await tx.put(progress, key, resetProgress(stored, { segmentId }, newest(at, stored.updated_at)));
    const { book_position_ms: position, generation, device_id: device } = stored;
    const jump: Jump = { book_position_ms: position, generation, at, device_id: device, reason: 'reset' };
    await rememberJump(tx, key, jump);
  });
}

/** Returns the positions from which the listener jumped, converted to the current timeline. */
export function jumpsIn(audiobooks: Audiobooks, listener: Listener, bookId: string): Promise<readonly Jump[]> {
  return audiobooks.reader.snapshot(async (reads) => {
    await seenBook(reads, listener, bookId);
    const found: Jump[] = [];
    const known = await reads.get(jumps, { user_id: listener.userId, book_id: bookId });
    for (const jump of known?.jumps ?? []) {
      const given = { positionMs: jump.book_position_ms, generation: jump.generation };
      const place = await currentPosition(reads, bookId, given);
      if (typeof place === 'string') continue;
      found.push({ ...jump, book_position_ms: place.bookPositionMs, generation: place.generation });
    }
    return found;
  });
}
