import { z } from 'zod';
import { count, id, time } from './stored.ts';

/**
 * One timeline over all segments of a book.
 *
 * Each change to segments, order or durations writes a new map under the next generation. Maps never change and are
 * never deleted, so a position on any old timeline can be converted to the current one.
 */
export const durationMapShape = z.object({
  book_id: id,
  generation: count,
  segments: z.array(z.object({ id, duration_ms: count, active: z.boolean(), offset_start_ms: count })),
  total_duration_ms: count,
  /**
   * Set after a merge or transcoding: where each segment of the previous map is now. Used to convert positions in both
   * directions.
   */
  replaced: z.array(z.object({ id, into: id, start_ms: count, duration_ms: count })).optional(),
  method: z.enum(['packets', 'pipeline', 'header']),
  created_at: time,
  version: z.literal(1),
});
export type DurationMap = z.infer<typeof durationMapShape>;

export interface TimelinePart {
  readonly id: string;
  readonly duration_ms: number;
}

export function makeDurationMap(
  bookId: string,
  generation: number,
  parts: readonly TimelinePart[],
  method: DurationMap['method'],
  at: string,
): DurationMap {
  let offset = 0;
  const segments = parts.map(({ id: segment, duration_ms: duration }) => {
    const placed = { id: segment, duration_ms: duration, active: true, offset_start_ms: offset };
    offset += duration;
    return placed;
  });
  return {
    book_id: bookId,
    generation,
    segments,
    total_duration_ms: offset,
    method,
    created_at: at,
    version: 1,
  };
}

export function sameTimeline(map: DurationMap | undefined, parts: readonly TimelinePart[]): boolean {
  if (map === undefined || map.segments.length !== parts.length) return false;
  return map.segments.every(
    (segment, index) => segment.id === parts[index]?.id && segment.duration_ms === parts[index]?.duration_ms,
  );
}

export interface Position {
  readonly segmentId: string;
  readonly positionMs: number;
}

/**
 * Returns the segment at a position in the book, and the offset within that segment; undefined for a book without
 * segments.
 */
export function positionAt(map: DurationMap, bookPositionMs: number): Position | undefined {
  const wanted = clamp(bookPositionMs, 0, map.total_duration_ms);
  let found = map.segments[0];
  for (const segment of map.segments) {
    if (segment.offset_start_ms > wanted) break;
    found = segment;
  }
  if (found === undefined) return undefined;
  return { segmentId: found.id, positionMs: clamp(wanted - found.offset_start_ms, 0, found.duration_ms) };
}

/** Returns the position in the whole book; undefined if the map lacks the segment. */
export function bookPosition(map: DurationMap, { segmentId, positionMs }: Position): number | undefined {
  const segment = map.segments.find(({ id: segmentIdHere }) => segmentIdHere === segmentId);
  return segment === undefined ? undefined : segment.offset_start_ms + clamp(positionMs, 0, segment.duration_ms);
}

/** The segment that replaced another one. `startMs` and `durationMs` locate the old segment in the new one. */
export interface Replacement {
  readonly segmentId: string;
  readonly startMs: number;
  readonly durationMs: number;
}

/**
 * Converts a position from an old timeline to a new one. Follows the segment, or the segment that replaced it, so that
 * the position stays exact if earlier files changed. If neither exists, keeps the distance from the start of the book.
 */
export function carryPosition(
  place: Position & { readonly bookPositionMs: number },
  to: DurationMap,
  replacements: ReadonlyMap<string, Replacement>,
): CarriedPosition | undefined {
  const followed = followReplacements(place, to, replacements);
  const target = bookPosition(to, followed) ?? clamp(place.bookPositionMs, 0, to.total_duration_ms);
  const at = bookPosition(to, followed) === undefined ? positionAt(to, target) : clampedIn(to, followed);
  return at === undefined ? undefined : { ...at, bookPositionMs: target };
}

/** Follows a segment's chain of replacements. Stops at a cycle, which only a corrupt database can have. */
function followReplacements(
  place: Position,
  to: DurationMap,
  replacements: ReadonlyMap<string, Replacement>,
): Position {
  const seen = new Set<string>();
  let current: Position = { segmentId: place.segmentId, positionMs: place.positionMs };
  while (bookPosition(to, current) === undefined && !seen.has(current.segmentId)) {
    seen.add(current.segmentId);
    const next = replacements.get(current.segmentId);
    if (next === undefined) break;
    current = {
      segmentId: next.segmentId,
      positionMs: next.startMs + clamp(current.positionMs, 0, next.durationMs),
    };
  }
  return current;
}

/** Converts a position in a merged segment to a position in the original one. */
export function positionBeforeMerge(
  positionMs: number,
  parts: readonly (Replacement & { readonly oldSegmentId: string; readonly oldDurationMs: number })[],
): Position | undefined {
  const ordered = [...parts].sort((left, right) => left.startMs - right.startMs);
  let found = ordered[0];
  for (const part of ordered) {
    if (part.startMs > positionMs) break;
    found = part;
  }
  if (found === undefined) return undefined;
  return { segmentId: found.oldSegmentId, positionMs: clamp(positionMs - found.startMs, 0, found.oldDurationMs) };
}

/**
 * Converts a position through several timeline changes, one by one. `maps` starts with the timeline that the position
 * refers to.
 */
export function carryThrough(place: Position, maps: readonly DurationMap[]): CarriedPosition | undefined {
  const [noted, ...later] = maps;
  if (noted === undefined) return undefined;
  const bookPositionMs = bookPosition(noted, place);
  if (bookPositionMs === undefined) return undefined;
  let current: CarriedPosition = { ...clampedIn(noted, place), bookPositionMs };
  let before = noted;
  for (const next of later) {
    const back = bookPosition(next, current) === undefined ? wayBack(current, before, next) : undefined;
    const carried = carryPosition(
      { ...(back ?? current), bookPositionMs: current.bookPositionMs },
      next,
      replacementsOf(next),
    );
    if (carried === undefined) return undefined;
    current = carried;
    before = next;
  }
  return current;
}

export type CarriedPosition = Position & { readonly bookPositionMs: number };

function replacementsOf({ replaced = [] }: DurationMap): ReadonlyMap<string, Replacement> {
  return new Map(
    replaced.map(({ id: old, into, start_ms: startMs, duration_ms: durationMs }) => [
      old,
      { segmentId: into, startMs, durationMs },
    ]),
  );
}

/** Converts a position back to the original segments after a merge is undone. */
function wayBack(place: Position, { replaced = [] }: DurationMap, to: DurationMap): Position | undefined {
  const parts = replaced
    .filter(({ into }) => into === place.segmentId)
    .map(({ id: old, into, start_ms: startMs, duration_ms: durationMs }) => ({
      segmentId: into,
      startMs,
      durationMs,
      oldSegmentId: old,
      oldDurationMs: to.segments.find((segment) => segment.id === old)?.duration_ms ?? durationMs,
    }));
  return parts.length === 0 ? undefined : positionBeforeMerge(place.positionMs, parts);
}

function clampedIn(map: DurationMap, place: Position): Position {
  const duration = map.segments.find(({ id: segmentId }) => segmentId === place.segmentId)?.duration_ms ?? 0;
  return { segmentId: place.segmentId, positionMs: clamp(place.positionMs, 0, duration) };
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(Number.isFinite(value) ? Math.round(value) : low, low), high);
}

/** Returns a percentage from 0 to 100; 0 for an empty book. */
export function percentOf(bookPositionMs: number, totalMs: number): number {
  if (totalMs <= 0) return 0;
  return Math.round((clamp(bookPositionMs, 0, totalMs) * 10_000) / totalMs) / 100;
}
