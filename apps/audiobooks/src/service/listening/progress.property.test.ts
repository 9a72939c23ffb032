import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryAudiobooks } from '../../../test/audiobooks.ts';
import { ADDED_MS, mergeFiles, newBook, NOON, report, takeBack, tell } from '../../../test/player.ts';
import { percentOf } from '../../model/timeline.ts';
import { books, durationMaps, playbackEvents, progress } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import type { Switched } from '../merge/switch-segments.ts';
import type { Report } from './record-playback.ts';

/**
 * Several devices with different timelines report in any order, repeatedly and late, while files are merged and
 * restored. A simple model predicts the progress: the newest report wins, and a position keeps its place in the audio.
 */

const PARTS = [600_000, 1_200_000, 1_800_000] as const;
const STARTS = [0, 600_000, 1_800_000] as const;

/** Converts a position when three files become one, with arithmetic that is independent of the tested code. */
function forward(position: number): number {
  const part = position >= STARTS[2] ? 2 : position >= STARTS[1] ? 1 : 0;
  return position + part * ADDED_MS;
}
function backward(position: number): number {
  const part = position >= STARTS[2] + 2 * ADDED_MS ? 2 : position >= STARTS[1] + ADDED_MS ? 1 : 0;
  return STARTS[part] + Math.min(position - STARTS[part] - part * ADDED_MS, PARTS[part]);
}

interface Told {
  readonly report: Report;
  readonly at: string;
  readonly arrival: number;
  readonly isEnd: boolean;
  readonly isEarly: boolean;
}

class Model {
  /** Converts a position from each generation to the next. */
  readonly steps: ((position: number) => number)[] = [];
  readonly told: Told[] = [];
  position: number | undefined;
  updatedAt = '';
  merged: Switched | undefined;

  get generation(): number {
    return this.steps.length + 1;
  }

  get total(): number {
    return this.merged === undefined ? 3_600_000 : 3_600_000 + 3 * ADDED_MS;
  }

  carry(position: number, from: number): number {
    return this.steps.slice(from - 1).reduce((place, step) => step(place), position);
  }

  change(step: (position: number) => number): void {
    this.steps.push(step);
    if (this.position !== undefined) this.position = step(this.position);
  }

  tell(given: Report, wasTotal: number): void {
    if (this.told.some((known) => known.report.event_id === given.event_id)) return;
    const place = this.carry(Math.min(given.position_ms!, wasTotal), given.generation!);
    const plays = given.event_type === 'progress';
    const left = this.total - place;
    this.told.push({
      report: given,
      at: given.occurred_at,
      arrival: this.told.length,
      isEnd: given.event_type === 'complete' || ((plays || given.event_type === 'pause') && left <= this.total / 100),
      isEarly: plays && place < this.total / 10,
    });
    if (given.occurred_at < this.updatedAt) return;
    this.updatedAt = given.occurred_at;
    this.position = place;
  }

  /** The newest finishing or restarting report decides, whatever the order of arrival. */
  get finished(): boolean {
    const end = this.told
      .filter(({ isEnd }) => isEnd)
      .map(({ at }) => at)
      .toSorted()
      .at(-1);
    return end !== undefined && !this.told.some(({ isEarly, at }) => isEarly && at > end);
  }
}

type Action =
  | {
      readonly kind: 'report';
      readonly device: number;
      readonly type: number;
      readonly at: number;
      readonly place: number;
    }
  | { readonly kind: 'sync'; readonly device: number }
  | { readonly kind: 'merge' | 'undo' }
  | { readonly kind: 'replay'; readonly which: number };

const TYPES = ['progress', 'start', 'pause', 'seek', 'complete', 'progress'] as const;

const actions: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('report' as const),
      device: fc.nat(2),
      type: fc.nat(TYPES.length - 1),
      at: fc.nat(30),
      place: fc.oneof(fc.nat(3_700_000), fc.constantFrom(0, 1_000, 600_000, 1_799_999, 3_590_000)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sync' as const), device: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('merge' as const, 'undo' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('replay' as const), which: fc.nat(50) }) },
);

let audiobooks: Audiobooks;
beforeEach(async () => {
  audiobooks = await temporaryAudiobooks();
});

async function run(script: readonly Action[]): Promise<void> {
  const bookId = await newBook(audiobooks);
  const model = new Model();
  const known = [1, 1, 1];
  const totals = [0, 3_600_000];
  for (const [index, action] of script.entries()) {
    if (action.kind === 'sync') known[action.device] = model.generation;
    if (action.kind === 'merge' && model.merged === undefined) {
      model.merged = await mergeFiles(audiobooks, bookId);
      model.change(forward);
      totals.push(model.total);
    } else if (action.kind === 'undo' && model.merged !== undefined) {
      await takeBack(audiobooks, model.merged);
      model.merged = undefined;
      model.change(backward);
      totals.push(model.total);
    }
    if (action.kind === 'report') {
      const generation = known[action.device]!;
      const given = report(bookId, `${bookId}-${index}`, 0, {
        event_type: TYPES[action.type]!,
        position_ms: action.place,
        generation,
        occurred_at: new Date(NOON + action.at * 1_000).toISOString(),
        device_id: `device ${action.device}`,
      });
      model.tell(given, totals[generation]!);
      await tell(audiobooks, [await inSomeForm(bookId, given, index)]);
    } else if (action.kind === 'replay' && model.told.length > 0) {
      const again = model.told[action.which % model.told.length]!.report;
      expect(await tell(audiobooks, [again])).toMatchObject({ accepted: 0, duplicates: 1 });
    }
    await expectAsModel(bookId, model);
  }
}

/** Every other report gives its position as a file and an offset, on the timeline that the device knows. */
async function inSomeForm(bookId: string, given: Report, index: number): Promise<Report> {
  if (index % 2 === 0) return given;
  const map = (await audiobooks.store.get(durationMaps, { book_id: bookId, generation: given.generation! }))!;
  const position = Math.min(given.position_ms!, map.total_duration_ms);
  const segment = map.segments.findLast(({ offset_start_ms: start }) => start <= position)!;
  const seconds = (position - segment.offset_start_ms) / 1_000;
  return { ...given, position_ms: undefined, generation: undefined, segment_id: segment.id, position_seconds: seconds };
}

async function expectAsModel(bookId: string, model: Model): Promise<void> {
  const stored = await audiobooks.store.get(progress, { user_id: 'U', book_id: bookId });
  expect(await audiobooks.store.list(playbackEvents, { user_id: 'U', book_id: bookId })).toHaveLength(
    model.told.length,
  );
  if (model.position === undefined) {
    expect(stored).toBeUndefined();
    return;
  }
  expect(stored).toMatchObject({
    book_position_ms: model.position,
    generation: model.generation,
    percent_complete: percentOf(model.position, model.total),
    updated_at: model.updatedAt,
    finished: model.finished,
  });
  expect((await audiobooks.store.get(books, { id: bookId }))!.generation).toBe(model.generation);
}

describe('progress', () => {
  it('knows where a place in files that were made and taken back again is', async () => {
    const late = { kind: 'report', device: 0, type: 0, place: 2_000_000 } as const;
    const script: readonly Action[] = [
      { kind: 'report', device: 1, type: 0, at: 1, place: 700_000 },
      { kind: 'merge' },
      { kind: 'sync', device: 0 },
      { kind: 'undo' },
      { ...late, at: 2 },
      { ...late, at: 3 },
      { kind: 'merge' },
      { ...late, at: 4 },
      { ...late, at: 5 },
    ];
    await expect(run(script)).resolves.toBeUndefined();
  });

  it('is what the newest report says, whatever the order, the repetitions, the merges and their undoing', async () => {
    await fc.assert(fc.asyncProperty(fc.array(actions, { minLength: 4, maxLength: 16 }), run), {
      numRuns: Number(process.env['HOLDFAST_LISTENING_RUNS'] ?? 20),
    });
    expect((await audiobooks.store.verify()).problems).toEqual([]);
  });
});
