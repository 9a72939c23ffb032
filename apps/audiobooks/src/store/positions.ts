import type { Reads } from '@holdfast/keyspace';
import { carryThrough, type CarriedPosition, type DurationMap, type Position, positionAt } from '../model/timeline.ts';
import { durationMaps } from './definitions.ts';
import { newestMap } from './timelines.ts';

/** A position as a device reports it, possibly on an old timeline. */
export type ReportedPosition =
  | { readonly positionMs: number; readonly generation: number | undefined }
  | { readonly segmentId: string; readonly segmentPositionMs: number };

export interface CurrentPosition extends CarriedPosition {
  readonly generation: number;
  readonly totalMs: number;
}

/**
 * Converts a reported position to the current timeline. A device may be offline for weeks and miss a merge or its undo,
 * so this converts step by step through all timelines since. Returns 'no-files' if there is nothing to play, and
 * 'unknown' if the book never had the segment.
 */
export async function currentPosition(
  reads: Reads,
  bookId: string,
  given: ReportedPosition,
): Promise<CurrentPosition | 'no-files' | 'unknown'> {
  return positionOn(reads, await newestMap(reads, bookId), given);
}

/** As `currentPosition`, with a known current timeline. */
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
  const last = maps.findLastIndex(({ segments }) => segments.some(({ id }) => id === place.segmentId));
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
  // A timeline without files has no positions; continue with the next one.
  const usable = maps.filter(({ segments }) => segments.length > 0);
  const place = usable[0] === undefined ? undefined : positionAt(usable[0], positionMs);
  return place === undefined ? undefined : carryThrough(place, usable);
}
