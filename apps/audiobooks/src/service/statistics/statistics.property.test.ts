import { DAY } from '@holdfast/base';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryAudiobooks } from '../../../test/audiobooks.ts';
import { newBook, NOON, report, tell } from '../../../test/player.ts';
import {
  bookListenSeconds,
  bookPlays,
  books,
  dayTallies,
  playbackEvents,
  userListenSeconds,
  userTallies,
  workListenSeconds,
  workPlays,
} from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { localListener } from '../listener.ts';
import type { Report } from '../listening/record-playback.ts';
import { catchUp, pruneEvents, rebuildStatistics } from './count.ts';
import { statisticsOf } from './read-statistics.ts';

/** Device names may equal property names that every plain object has. */
const DEVICES = ['constructor', '__proto__'];

/**
 * Two people with several devices report in any order, while events are counted, recounted and pruned at any time.
 * Totals must equal a simple count over all reports and never exceed elapsed time.
 */

const TYPES = ['progress', 'progress', 'progress', 'start', 'pause', 'seek', 'complete'] as const;

/** Time zones; `shift` is UTC minus local time in June, in seconds. */
const ZONES = [
  { zone: 'UTC', shift: 0 },
  { zone: 'Europe/Berlin', shift: -7_200 },
  { zone: 'Asia/Kathmandu', shift: -20_700 },
  { zone: 'America/New_York', shift: 14_400 },
] as const;

type Step =
  | {
      readonly kind: 'tell';
      readonly user: number;
      readonly device: number;
      readonly book: number;
      readonly reports: readonly { readonly at: number; readonly place: number; readonly type: number }[];
    }
  | { readonly kind: 'count' | 'rebuild' | 'again' }
  | { readonly kind: 'prune'; readonly keepDays: number; readonly keepEvents: number }
  | { readonly kind: 'wait'; readonly days: number };

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('tell' as const),
      user: fc.nat(1),
      device: fc.nat(DEVICES.length - 1),
      book: fc.nat(1),
      reports: fc.array(
        // Reports around midnight in one of the zones, seconds to minutes apart.
        fc.record({ at: fc.integer({ min: 43_000, max: 43_400 }), place: fc.nat(400), type: fc.nat(TYPES.length - 1) }),
        { minLength: 1, maxLength: 8 },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('count' as const, 'rebuild' as const, 'again' as const) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('prune' as const), keepDays: fc.nat(3), keepEvents: fc.nat(3) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), days: fc.nat(3) }) },
);

/** Reference implementation, which counts every second listened, report by report. */
class SimpleCount {
  readonly #accepted: { user: string; report: Report; at: number }[] = [];

  add(user: string, reports: readonly Report[]): void {
    const known = new Set(this.#accepted.filter((one) => one.user === user).map((one) => one.report.event_id));
    const fresh = reports.filter((one) => !known.has(one.event_id));
    const ordered = fresh.map((one) => ({ user, report: one, at: Date.parse(one.occurred_at) }));
    this.#accepted.push(...ordered.sort((left, right) => left.at - right.at));
  }

  listened(user: string, book?: string): number {
    return this.#united(user, book).reduce((sum, [from, to]) => sum + to - from, 0);
  }

  /** By local date, evaluated for each second. */
  byDate(user: string, zone: string): ReadonlyMap<string, number> {
    const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' });
    const found = new Map<string, number>();
    for (const [from, to] of this.#united(user)) {
      for (let start = from; start < to;) {
        const end = Math.min(to, Math.floor(start / 1_000) * 1_000 + 1_000);
        const date = clock.format(start);
        found.set(date, (found.get(date) ?? 0) + end - start);
        start = end;
      }
    }
    return found;
  }

  #united(user: string, book?: string): readonly (readonly [number, number])[] {
    const spans = this.#spans(user).filter((span) => book === undefined || span.book === book);
    const edges = [...new Set(spans.flatMap(({ from, to }) => [from, to]))].sort((left, right) => left - right);
    return edges
      .map((edge, index) => [edge, edges[index + 1] ?? edge] as const)
      .filter(([edge, next]) => next > edge && spans.some(({ from, to }) => from <= edge && to >= next));
  }

  #spans(user: string): { book: string; from: number; to: number }[] {
    const spans: { book: string; from: number; to: number }[] = [];
    for (const device of DEVICES) {
      const own = this.#accepted.filter((one) => one.user === user && one.report.device_id === device);
      let newest: (typeof own)[number] | undefined;
      let late: (typeof own)[number] | undefined;
      for (const one of own) {
        const isNewest = newest === undefined || one.at >= newest.at;
        const before = isNewest ? newest : late !== undefined && late.at <= one.at ? late : undefined;
        if (before !== undefined && counts(before.report, one.report)) {
          const way = Math.abs(one.report.position_ms! - before.report.position_ms!) / one.report.play_speed + 2_000;
          const length = Math.floor(Math.min(one.at - before.at, way, 120_000));
          if (length > 0) spans.push({ book: one.report.book_id, from: before.at, to: before.at + length });
        }
        if (isNewest) newest = one;
        else late = one;
      }
    }
    return spans;
  }
}

function counts(before: Report, after: Report): boolean {
  if (before.book_id !== after.book_id || before.session_id !== after.session_id) return false;
  if (before.event_type === 'pause' || before.event_type === 'complete') return false;
  return after.event_type !== 'seek' && after.event_type !== 'start';
}

async function totals({ store }: Audiobooks, users: readonly string[]) {
  const tallies = await Promise.all(users.map((user) => store.get(userTallies, { side: 'now', user })));
  const found = await store.list(books, {});
  return {
    users: await Promise.all(users.map((user) => store.get(userListenSeconds, { user }))),
    plays: tallies.map((tally) => tally?.plays ?? 0),
    finished: tallies.map((tally) => tally?.finished ?? 0),
    days: (await store.entries(dayTallies, { side: 'now' })).map(({ key, value }) => [key.user, key.date, value]),
    books: await Promise.all(
      found.map(async ({ id: book, work_id: work }) => [
        await store.get(bookPlays, { book }),
        await store.get(bookListenSeconds, { book }),
        await store.get(workPlays, { work: work! }),
        await store.get(workListenSeconds, { work: work! }),
      ]),
    ),
  };
}

let shared: Audiobooks;
let runs = 0;
beforeAll(async () => {
  shared = await temporaryAudiobooks();
});

async function run(script: readonly Step[], { zone, shift }: (typeof ZONES)[number]): Promise<void> {
  let now = NOON + DAY;
  const audiobooks = { ...shared, now: () => now };
  runs += 1;
  const users = [`ann ${runs}`, `bob ${runs}`];
  const ids = [await newBook(audiobooks), await newBook(audiobooks)];
  const simple = new SimpleCount();
  const sent: { user: string; reports: readonly Report[] }[] = [];
  const countAll = async () => {
    for (const user of users) await catchUp(audiobooks, user);
  };
  for (const [index, step] of script.entries()) {
    if (step.kind === 'wait') now += step.days * DAY;
    if (step.kind === 'tell') {
      const user = users[step.user]!;
      const reports = step.reports.map(({ at, place, type }, number) =>
        report(ids[step.book]!, `${index}-${number}`, at + shift, {
          event_type: TYPES[type]!,
          position_ms: place * 1_000,
          device_id: DEVICES[step.device]!,
          session_id: `s${step.book}`,
        }),
      );
      sent.push({ user, reports });
      simple.add(user, reports);
      await tell(audiobooks, reports, user);
    } else if (step.kind === 'count') await countAll();
    else if (step.kind === 'again' && sent.length > 0) {
      const { user, reports } = sent.at(-1)!;
      await tell(audiobooks, reports, user);
    } else if (step.kind === 'rebuild') {
      await countAll();
      const before = await totals(audiobooks, users);
      expect(await rebuildStatistics(audiobooks)).toMatchObject({ corrected: 0 });
      expect(await totals(audiobooks, users)).toEqual(before);
    } else if (step.kind === 'prune') {
      await countAll();
      const before = await totals(audiobooks, users);
      await pruneEvents(audiobooks, { keepDays: step.keepDays, keepEvents: step.keepEvents });
      // Repeated uploads are detected only while the event is kept.
      sent.length = 0;
      expect(await totals(audiobooks, users)).toEqual(before);
    }
  }
  await countAll();
  const live = await totals(audiobooks, users);
  await expectHonest(audiobooks, simple, ids, users, live.users);
  for (const user of users) await expectDays(audiobooks, simple, user, zone);
  now += DAY;
  await pruneEvents(audiobooks, { keepDays: 0, keepEvents: 1 });
  await rebuildStatistics(audiobooks);
  expect(await totals(audiobooks, users)).toEqual(live);
  await expectKept(audiobooks, users);
}

async function expectHonest(
  { store }: Audiobooks,
  simple: SimpleCount,
  ids: readonly string[],
  users: readonly string[],
  listened: readonly number[],
): Promise<void> {
  for (const [index, user] of users.entries()) {
    expect(listened[index], user).toBe(Math.floor(simple.listened(user) / 1_000));
    for (const { key, value } of await store.entries(dayTallies, { side: 'now', user })) {
      expect(value.listen_ms, key.date).toBeLessThanOrEqual(DAY);
    }
  }
  for (const book of ids) {
    const expected = users.map((user) => Math.floor(simple.listened(user, book) / 1_000));
    expect(await store.get(bookListenSeconds, { book })).toBe(expected[0]! + expected[1]!);
  }
}

/** In any zone, the days must add up to the total, and each must match the local date. */
async function expectDays(audiobooks: Audiobooks, simple: SimpleCount, user: string, zone: string): Promise<void> {
  const period = { from: '2026-01-01', to: '2026-12-31' };
  const found = await statisticsOf(audiobooks, localListener(user), { ...period, zone });
  const expected = [...simple.byDate(user, zone)]
    .map(([date, ms]) => [date, Math.floor(ms / 1_000)] as const)
    .sort(([left], [right]) => left.localeCompare(right));
  const counted = found.days.filter(({ seconds }) => seconds > 0).map(({ date, seconds }) => [date, seconds]);
  expect(counted).toEqual(expected.filter(([, seconds]) => seconds > 0));
  const tally = await audiobooks.store.get(userTallies, { side: 'now', user });
  const { listen_seconds: seconds, plays, finished } = found;
  const totalsOfUser = [Math.floor((tally?.listen_ms ?? 0) / 1_000), tally?.plays ?? 0, tally?.finished ?? 0];
  expect([seconds, plays, finished]).toEqual(totalsOfUser);
}

/** The last event of each book and events that finished a book must never be pruned. */
async function expectKept({ store }: Audiobooks, users: readonly string[]): Promise<void> {
  for (const user of users) {
    const left = await store.list(playbackEvents, { user_id: user });
    for (const book of new Set(left.map(({ book_id: id }) => id))) {
      const own = left.filter(({ book_id: id }) => id === book);
      expect(own.slice(0, -1).every(({ event_type: type }) => type === 'complete')).toBe(true);
    }
  }
}

describe('statistics', () => {
  it('are those of all reports, counted once, counted again or counted after old ones are gone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 3, maxLength: 14 }), fc.constantFrom(...ZONES), run),
      {
        numRuns: Number(process.env['HOLDFAST_STATISTICS_RUNS'] ?? 12),
      },
    );
    expect((await shared.store.verify()).problems).toEqual([]);
  });
});
