import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bookPosition,
  carryPosition,
  makeDurationMap,
  percentOf,
  positionAt,
  positionBeforeMerge,
  type Replacement,
} from './timeline.ts';

const AT = '2026-01-01T00:00:00.000Z';
const durations = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 30 });
const fraction = fc.double({ min: 0, max: 1, noNaN: true });

const mapOf = (generation: number, lengths: readonly number[], name = 'S') =>
  makeDurationMap(
    'B',
    generation,
    lengths.map((duration_ms, index) => ({ id: `${name}${index}`, duration_ms })),
    'packets',
    AT,
  );

describe('a timeline', () => {
  it('finds the segment of every moment, and the moment of every place', () => {
    fc.assert(
      fc.property(durations, fraction, (lengths, part) => {
        const map = mapOf(1, lengths);
        const moment = Math.floor(part * map.total_duration_ms);
        const place = positionAt(map, moment)!;
        expect(bookPosition(map, place)).toBe(moment);
      }),
    );
  });

  it('carries a place into a merged file and back to where it was', () => {
    // The pipeline may remove or add padding in each file.
    const padding = fc.integer({ min: -40, max: 40 });
    fc.assert(
      fc.property(durations, fraction, padding, (lengths, part, pad) => {
        const before = mapOf(1, lengths);
        const kept = lengths.map((length) => Math.max(1, length + pad));
        const after = mapOf(2, [kept.reduce((sum, length) => sum + length, 0)], 'M');
        let start = 0;
        const parts = before.segments.map((segment, index) => {
          const piece = { segmentId: 'M0', startMs: start, durationMs: kept[index]! };
          start += kept[index]!;
          return { ...piece, oldSegmentId: segment.id, oldDurationMs: segment.duration_ms };
        });
        const replacements = new Map<string, Replacement>(parts.map((piece) => [piece.oldSegmentId, piece]));
        const bookPositionMs = Math.floor(part * before.total_duration_ms);
        const place = positionAt(before, bookPositionMs)!;
        const merged = carryPosition({ ...place, bookPositionMs }, after, replacements)!;
        expect(merged.segmentId).toBe('M0');
        const old = positionBeforeMerge(merged.positionMs, parts)!;
        const back = carryPosition({ ...old, bookPositionMs: merged.bookPositionMs }, before, new Map())!;
        // Positions in removed padding move to the end of their segment; all others are exact.
        expect(Math.abs(back.bookPositionMs - bookPositionMs)).toBeLessThanOrEqual(pad < 0 ? -pad : 0);
      }),
    );
  });

  it('follows a chain of replacements, and gives up on a circle', () => {
    const map = mapOf(3, [100_000], 'C');
    const chain = new Map<string, Replacement>([
      ['A', { segmentId: 'B', startMs: 1_000, durationMs: 500 }],
      ['B', { segmentId: 'C0', startMs: 20_000, durationMs: 9_000 }],
    ]);
    const place = { segmentId: 'A', positionMs: 300, bookPositionMs: 300 };
    expect(carryPosition(place, map, chain)).toEqual({ segmentId: 'C0', positionMs: 21_300, bookPositionMs: 21_300 });
    const circle = new Map<string, Replacement>([
      ['A', { segmentId: 'B', startMs: 0, durationMs: 500 }],
      ['B', { segmentId: 'A', startMs: 0, durationMs: 500 }],
    ]);
    expect(carryPosition(place, map, circle)).toEqual({ segmentId: 'C0', positionMs: 300, bookPositionMs: 300 });
  });

  it('stays inside the book, whatever a device reports', () => {
    const map = mapOf(1, [1_000, 2_000]);
    expect(bookPosition(map, { segmentId: 'S0', positionMs: 99_999 })).toBe(1_000);
    expect(bookPosition(map, { segmentId: 'S1', positionMs: Number.NaN })).toBe(1_000);
    expect(bookPosition(map, { segmentId: 'S1', positionMs: -5 })).toBe(1_000);
    expect(positionAt(map, 1e12)).toEqual({ segmentId: 'S1', positionMs: 2_000 });
    expect(positionAt(mapOf(1, []), 5)).toBeUndefined();
  });

  it('knows percent between 0 and 100, also of nothing', () => {
    expect(percentOf(5, 0)).toBe(0);
    expect(percentOf(1, 3)).toBe(33.33);
    expect(percentOf(9, 3)).toBe(100);
  });
});
