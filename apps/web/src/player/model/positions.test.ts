import { describe, expect, it } from 'vitest';

import type { PlaybackEvent, Progress } from '../../api/types.ts';
import { clockTime } from '../../lib/format.ts';
import { isFurtherElsewhere, newestReport, oldestReports, startPosition, excessReports } from './progress.ts';
import {
  chapterAt,
  chaptersOf,
  nextChapter,
  previousChapter,
  speedText,
  spokenTime,
  type Timeline,
} from './timeline.ts';

const known: Progress = {
  book_id: 'b1',
  position_ms: 83_000,
  segment_id: 's1',
  position_seconds: 83,
  generation: 1,
  percent: 50,
  finished: false,
  completions: 0,
  speed: 1,
  updated_at: '2026-01-01T00:00:10.000Z',
  device_id: 'phone',
  revision: 7,
};

describe('where a book begins to play', () => {
  it('is what was asked for, else the newest place, here or elsewhere; a finished book begins again', () => {
    expect(startPosition(5, known, { position_ms: 9, occurred_at: '2026-01-02' })).toBe(5);
    expect(startPosition(undefined, known, { position_ms: 9, occurred_at: '2026-01-01T00:00:11.000Z' })).toBe(9);
    expect(startPosition(undefined, known, { position_ms: 9, occurred_at: '2026-01-01T00:00:09.000Z' })).toBe(83_000);
    expect(startPosition(undefined, undefined, { position_ms: 9, occurred_at: '2026' })).toBe(9);
    expect(startPosition(undefined, { ...known, finished: true }, undefined)).toBe(0);
    expect(startPosition(undefined, undefined, undefined)).toBe(0);
  });

  it('is asked about when another device went on, and only then', () => {
    const here = { device: 'laptop', positionMs: 10_000, revision: 6 };
    expect(isFurtherElsewhere(known, here)).toBe(true);
    expect(isFurtherElsewhere({ ...known, position_ms: 2_000 }, here)).toBe(true);
    expect(isFurtherElsewhere(known, { ...here, revision: 7 })).toBe(false);
    expect(isFurtherElsewhere(known, { ...here, device: 'phone' })).toBe(false);
    expect(isFurtherElsewhere({ ...known, position_ms: 12_000 }, here)).toBe(false);
  });
});

const timeline: Timeline = {
  generation: 1,
  duration_ms: 90_000,
  segments: [],
  chapters: [
    { title: 'One', start_ms: 0, end_ms: 30_000 },
    { title: 'Two', start_ms: 30_000, end_ms: 60_000 },
    { title: 'Three', start_ms: 60_000, end_ms: 90_000 },
  ],
};

describe('chapters', () => {
  it('are gone through: back to the beginning of this one, or of the one before if it has only just begun', () => {
    expect([29_999, 30_000, 90_000].map((at) => chapterAt(timeline, at))).toEqual([0, 1, 2]);
    expect(previousChapter(timeline, 40_000)).toBe(30_000);
    expect(previousChapter(timeline, 32_000)).toBe(0);
    expect(previousChapter(timeline, 1_000)).toBe(0);
    expect(nextChapter(timeline, 30_000)).toBe(60_000);
    expect(nextChapter(timeline, 60_000)).toBeUndefined();
  });

  it('are the files of a book that has none', () => {
    const file = { duration_ms: 10, format: 'mp3', content_type: 'audio/mpeg', url: '' };
    const segments = [
      { ...file, id: 'a', start_ms: 0 },
      { ...file, id: 'b', start_ms: 10 },
    ];
    const parts = chaptersOf({ ...timeline, chapters: [], segments });
    expect(parts.map(({ title }) => title)).toEqual(['Part 1', 'Part 2']);
    expect(chaptersOf({ ...timeline, chapters: [], segments: segments.slice(1) })).toEqual([]);
  });
});

function event(at: number, type: PlaybackEvent['event_type'] = 'progress', book: string = 'b1'): PlaybackEvent {
  return {
    event_id: `e${at}`,
    book_id: book,
    event_type: type,
    position_ms: at,
    segment_id: 's1',
    position_seconds: at / 1_000,
    generation: 1,
    occurred_at: new Date(at * 1_000).toISOString(),
    play_speed: 1,
    device_id: 'd',
    session_id: 't',
  };
}

describe('reports that wait', () => {
  it('go as they happened, a batch at a time', () => {
    const waiting = [event(3), event(1), event(2)];
    expect(oldestReports(waiting, 2).map(({ event_id: id }) => id)).toEqual(['e1', 'e2']);
    expect(newestReport(waiting, 'b1')?.event_id).toBe('e3');
    expect(newestReport(waiting, 'b2')).toBeUndefined();
  });

  it('are thinned out after days, without losing where anybody was, paused or finished', () => {
    const few = Array.from({ length: 4_000 }, (_, at) => event(at));
    expect(excessReports(few)).toEqual([]);
    const many = [
      ...few,
      ...Array.from({ length: 1_000 }, (_, at) => event(5_000 + at, at % 2 === 0 ? 'pause' : 'progress')),
    ];
    const given = excessReports(many);
    expect(given).toHaveLength(1_000);
    expect(given.every(({ event_type: type }) => type === 'progress')).toBe(true);
    expect(given.some(({ event_id: id }) => id === many.at(-1)?.event_id)).toBe(false);
  });
});

it('words for eyes and for ears', () => {
  expect([0, 7_000, 187_000, 5_025_000].map(clockTime)).toEqual(['0:00', '0:07', '3:07', '1:23:45']);
  expect(spokenTime(5_025_000)).toBe('1 hour 23 minutes 45 seconds');
  expect(spokenTime(0)).toBe('0 seconds');
  expect([1, 1.25, 0.1 + 0.2].map(speedText)).toEqual(['1×', '1.25×', '0.3×']);
});
