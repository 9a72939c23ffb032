import type { Reads, Transaction } from '@holdfast/keyspace';
import type { Book } from '../model/book.ts';
import type { Progress } from '../model/playback.ts';
import type { Segment } from '../model/segment.ts';
import {
  carryPosition,
  type DurationMap,
  makeDurationMap,
  percentOf,
  type Position,
  type Replacement,
  sameTimeline,
} from '../model/timeline.ts';
import { bookmarks, durationMaps, progress } from './definitions.ts';

export async function newestMap(reads: Reads, bookId: string): Promise<DurationMap | undefined> {
  const [map] = await reads.list(durationMaps, { book_id: bookId }, { reverse: true, limit: 1 });
  return map;
}

export interface TimelineChange {
  readonly book: Book;
  /** Active segments in order. */
  readonly segments: readonly Segment[];
  readonly method: DurationMap['method'];
  /** Replacements of segments that are no longer active. */
  readonly replacements?: ReadonlyMap<string, Replacement>;
  /** Overrides how a position is converted. */
  readonly carry?: (place: Position) => Position | undefined;
  readonly at: string;
}

/**
 * Makes these segments the current timeline and converts all progress and bookmarks to it. Returns the book with
 * updated totals and generation. An equal timeline changes nothing.
 */
export async function switchTimeline(tx: Transaction, change: TimelineChange): Promise<Book> {
  const { book, segments, method, at } = change;
  const summed: Book = {
    ...book,
    duration_ms: sum(segments.map((segment) => segment.duration_ms)),
    size_bytes: sum(segments.map((segment) => segment.size_bytes)),
    segment_count: segments.length,
  };
  // A new book has no timeline and no listeners.
  const isNew = book.revision === 0;
  const old = isNew ? undefined : await newestMap(tx, book.id);
  if (sameTimeline(old, segments) || (old === undefined && segments.length === 0)) return summed;
  const generation = (old?.generation ?? 0) + 1;
  const map = { ...makeDurationMap(book.id, generation, segments, method, at), ...replacedIn(change, old) };
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
