import type { Reads, Transaction } from '@holdfast/keyspace';
import type { Book, Segment } from '../model/book.ts';
import type { Progress } from '../model/playback.ts';
import {
  type CarriedPosition,
  carryPosition,
  carryThrough,
  type DurationMap,
  makeDurationMap,
  percentOf,
  type Position,
  positionAt,
  type Replacement,
  sameTimeline,
} from '../model/timeline.ts';
import { bookmarks, books, durationMaps, progress, segments } from './definitions.ts';

export async function newestMap(reads: Reads, bookId: string): Promise<DurationMap | undefined> {
  const [map] = await reads.list(durationMaps, { book_id: bookId }, { reverse: true, limit: 1 });
  return map;
}

interface TimelineChange {
  readonly book: Book;
  /** Active segments in order. */
  readonly segments: readonly Segment[];
  readonly method: DurationMap['method'];
  /** The replacement for each segment that is no longer active. */
  readonly replacements?: ReadonlyMap<string, Replacement>;
  /** Overrides how a position is converted. */
  readonly carry?: (place: Position) => Position | undefined;
  readonly at: string;
}

/**
 * Makes these segments the current timeline and converts all progress and bookmarks to it. Returns the book with
 * updated totals and generation. Changes nothing if the timeline is the same.
 */
export async function switchTimeline(tx: Transaction, change: TimelineChange): Promise<Book> {
  const { book, segments: active, method, at } = change;
  const summed: Book = {
    ...book,
    duration_ms: sum(active.map((segment) => segment.duration_ms)),
    size_bytes: sum(active.map((segment) => segment.size_bytes)),
    segment_count: active.length,
  };
  // A new book has no timeline and no listeners.
  const isNew = book.revision === 0;
  const old = isNew ? undefined : await newestMap(tx, book.id);
  if (sameTimeline(old, active) || (old === undefined && active.length === 0)) return summed;
  const generation = (old?.generation ?? 0) + 1;
  const map = { ...makeDurationMap(book.id, generation, active, method, at), ...replacedIn(change, old) };
  await tx.put(durationMaps, { book_id: book.id, generation }, map);
  if (!isNew) await carryProgress(tx, change, map);
  await carryBookmarks(tx, change, old, map);
  return { ...summed, generation };
}

function replacedIn({ replacements }: TimelineChange, old: DurationMap | undefined): Pick<DurationMap, 'replaced'> {
  const replaced = [...(replacements ?? [])]
    .filter(([id]) => old?.segments.some((segment) => segment.id === id))
    .map(([id, { segmentId: into, startMs, durationMs }]) => ({
      id,
      into,
      start_ms: startMs,
      duration_ms: durationMs,
    }));
  return replaced.length === 0 ? {} : { replaced };
}

async function carryProgress(tx: Transaction, change: TimelineChange, map: DurationMap): Promise<void> {
  for (const entry of await tx.list(progress.by.book, { book_id: change.book.id })) {
    const carried = carriedProgress(entry, change, map);
    if (carried !== undefined) {
      await tx.put(progress, { user_id: entry.user_id, book_id: entry.book_id }, carried);
    }
  }
}

function carriedProgress(entry: Progress, change: TimelineChange, map: DurationMap): Progress | undefined {
  const place = { segmentId: entry.segment_id, positionMs: Math.round(entry.position_seconds * 1_000) };
  const bookPositionMs = entry.book_position_ms;
  const better = change.carry?.(place);
  const carried = carryPosition({ ...(better ?? place), bookPositionMs }, map, change.replacements ?? new Map());
  if (carried === undefined) return undefined;
  return {
    ...entry,
    segment_id: carried.segmentId,
    position_seconds: carried.positionMs / 1_000,
    book_position_ms: carried.bookPositionMs,
    generation: map.generation,
    percent_complete: percentOf(carried.bookPositionMs, map.total_duration_ms),
    revision: entry.revision + 1,
  };
}

async function carryBookmarks(
  tx: Transaction,
  change: TimelineChange,
  old: DurationMap | undefined,
  map: DurationMap,
): Promise<void> {
  if (old === undefined) return;
  for (const mark of await tx.list(bookmarks.by.book, { book_id: change.book.id })) {
    const place = segmentPosition(old, mark.book_position_ms);
    if (place === undefined) continue;
    const carried = carryPosition(
      { ...(change.carry?.(place) ?? place), bookPositionMs: mark.book_position_ms },
      map,
      change.replacements ?? new Map(),
    );
    if (carried === undefined) continue;
    const key = { user_id: mark.user_id, book_id: mark.book_id, id: mark.id };
    const moved = { ...mark, book_position_ms: carried.bookPositionMs, generation: map.generation };
    await tx.put(bookmarks, key, moved);
  }
}

function segmentPosition(map: DurationMap, bookPositionMs: number): Position | undefined {
  const segment = map.segments.findLast(({ offset_start_ms: start }) => start <= bookPositionMs);
  return segment === undefined
    ? undefined
    : { segmentId: segment.id, positionMs: bookPositionMs - segment.offset_start_ms };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Returns the active segments in playing order. */
export function activeSegments(reads: Reads, bookId: string): Promise<readonly Segment[]> {
  return reads.list(segments.by.order, { book_id: bookId });
}

/**
 * Writes segments that may swap order and paths. First marks all of them inactive and missing, so that a swap never
 * collides in a unique index.
 */
export async function writeSegments(
  tx: Transaction,
  changes: readonly { readonly before: Segment | undefined; readonly after: Segment }[],
): Promise<void> {
  for (const { before } of changes) {
    if (before === undefined || (!before.active && before.missing_since !== null)) continue;
    const lifted = { ...before, active: false, missing_since: before.missing_since ?? before.updated_at };
    await tx.put(segments, { id: before.id }, lifted);
  }
  for (const { after } of changes) await tx.put(segments, { id: after.id }, after);
}

export function segmentAtPath(reads: Reads, libraryId: string, path: string): Promise<Segment | undefined> {
  return reads.find(segments.by.path, { library_id: libraryId, file_path: path });
}

/** A position as a device reports it, possibly on an old timeline. */
type ReportedPosition =
  | { readonly positionMs: number; readonly generation: number | undefined }
  | { readonly segmentId: string; readonly segmentPositionMs: number };

export interface CurrentPosition extends CarriedPosition {
  readonly generation: number;
  readonly totalMs: number;
}

/**
 * Converts a reported position to the current timeline. A device may be offline for weeks and miss a merge or its undo,
 * so the position is converted through each timeline since then. Returns 'no-files' if there is nothing to play, and
 * 'unknown' if the book never had the segment.
 */
export async function currentPosition(
  reads: Reads,
  bookId: string,
  given: ReportedPosition,
): Promise<CurrentPosition | 'no-files' | 'unknown'> {
  return positionOn(reads, await newestMap(reads, bookId), given);
}

/** Like `currentPosition`, but for callers that have already read the current timeline. */
export async function positionOn(
  reads: Reads,
  newest: DurationMap | undefined,
  given: ReportedPosition,
): Promise<CurrentPosition | 'no-files' | 'unknown'> {
  if (newest === undefined || newest.segments.length === 0) return 'no-files';
  const carried =
    'segmentId' in given
      ? await fromSegment(reads, newest, { segmentId: given.segmentId, positionMs: given.segmentPositionMs })
      : await fromBook(reads, newest, given.positionMs, given.generation);
  if (carried === undefined) return 'unknown';
  return { ...carried, generation: newest.generation, totalMs: newest.total_duration_ms };
}

async function fromSegment(reads: Reads, newest: DurationMap, place: Position): Promise<CarriedPosition | undefined> {
  const isHere = newest.segments.some(({ id }) => id === place.segmentId);
  if (isHere) return carryThrough(place, [newest]);
  const maps = await reads.list(durationMaps, { book_id: newest.book_id });
  const last = maps.findLastIndex((map) => map.segments.some(({ id }) => id === place.segmentId));
  return last === -1 ? undefined : carryThrough(place, maps.slice(last));
}

async function fromBook(
  reads: Reads,
  newest: DurationMap,
  positionMs: number,
  generation: number | undefined,
): Promise<CarriedPosition | undefined> {
  const isOld = generation !== undefined && generation < newest.generation;
  const maps = isOld
    ? await reads.list(durationMaps, { book_id: newest.book_id }, { start: Math.max(generation, 1) })
    : [newest];
  // A timeline without files has no positions, so it is skipped.
  const usable = maps.filter((map) => map.segments.length > 0);
  const place = usable[0] === undefined ? undefined : positionAt(usable[0], positionMs);
  return place === undefined ? undefined : carryThrough(place, usable);
}

/**
 * The fields of a book that a report needs. Reports are the most frequent request, so the parsed timeline stays cached
 * while the stored book is unchanged.
 */
interface ListenedBook {
  readonly library_id: string | null;
  /** Undefined for a book without files. */
  readonly map: DurationMap | undefined;
}

const REMEMBERED_MAX = 1_000;
const remembered = new Map<string, { readonly stored: string; readonly book: ListenedBook }>();

export async function listenedBook(tx: Transaction, id: string): Promise<ListenedBook | undefined> {
  const stored = await tx.readKey(books.template.encode({ id }));
  if (typeof stored !== 'string') return undefined;
  const known = remembered.get(id);
  // A timeline change also changes the stored book, so an equal text means the same timeline.
  if (known?.stored === stored) return known.book;
  const { library_id: library = null, generation = 0 } = JSON.parse(stored) as {
    readonly library_id?: string | null;
    readonly generation?: number;
  };
  const map = generation === 0 ? undefined : await tx.get(durationMaps, { book_id: id, generation });
  const book = { library_id: library, map };
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  remembered.set(id, { stored, book });
  return book;
}
