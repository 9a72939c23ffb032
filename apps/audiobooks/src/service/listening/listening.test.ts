import { DAY } from '@holdfast/base';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryAudiobooks } from '../../../test/audiobooks.ts';
import { listened, mergeFiles, newBook, NOON, report, tell } from '../../../test/player.ts';
import {
  bookPlays,
  books,
  playbackEvents,
  progress,
  userListenSeconds,
  workListenSeconds,
  workPlays,
} from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { editBook } from '../changes/edit-book.ts';
import { mergeBooks } from '../changes/merge-books.ts';
import { localListener } from '../listener.ts';
import { catchUp, pruneEvents, rebuildStatistics } from '../statistics/count.ts';
import { statisticsOf } from '../statistics/read-statistics.ts';
import { addBookmark, changeBookmark, changePreferences, listBookmarks, preferencesOf } from './bookmarks.ts';
import { forgetProgress, jumpsIn, progressIn, setProgress } from './progress.ts';

let now: number;
let audiobooks: Audiobooks;
let users = 0;
/** Each call creates a new user. */
const somebody = () => localListener(`user ${(users += 1)}`);
const whole = { from: '2026-01-01', to: '2026-12-31', zone: 'UTC' };

beforeEach(async () => {
  now = NOON + 7_200_000;
  audiobooks = { ...(await temporaryAudiobooks()), now: () => now };
});

describe('reports', () => {
  it('are taken in once each, however many come at the same time', async () => {
    const [book, user] = [await newBook(audiobooks), somebody()];
    const batch = listened(book, 'x', 0, 150);
    const done = await Promise.all(
      Array.from({ length: 16 }, (_, n) => tell(audiobooks, n % 2 === 0 ? batch : batch.slice(3), user.userId)),
    );
    expect(done.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(11);
    const events = await audiobooks.store.list(playbackEvents, { user_id: user.userId });
    expect(events.map(({ seq }) => seq).toSorted((left, right) => left - right)).toEqual(
      Array.from({ length: 11 }, (_, n) => n + 1),
    );
    expect(await progressIn(audiobooks, user, book)).toMatchObject({
      book_position_ms: 150_000,
      percent_complete: 4.17,
    });
  });

  it('from a clock that is ahead happened when they came, from long ago they overwrite nothing', async () => {
    const [book, user] = [await newBook(audiobooks), somebody()];
    const ahead = new Date(now + DAY).toISOString();
    await tell(audiobooks, [report(book, 'a', 900, { occurred_at: ahead })], user.userId);
    expect(await progressIn(audiobooks, user, book)).toMatchObject({ updated_at: new Date(now).toISOString() });
    const before = '2019-01-01T00:00:00Z';
    await tell(audiobooks, [report(book, 'b', 10, { occurred_at: before, device_id: 'old' })], user.userId);
    expect(await progressIn(audiobooks, user, book)).toMatchObject({ book_position_ms: 900_000, device_id: 'phone' });
    const odd = report(book, 'c', 0, { occurred_at: '1970-01-01T00:00:00Z' });
    const none = report(book, 'd', 0, { position_ms: undefined });
    const strange = report(book, 'e', 0, {
      position_ms: undefined,
      segment_id: audiobooks.newId(),
      position_seconds: 1,
    });
    expect((await tell(audiobooks, [odd, none, strange], user.userId)).refused.map(({ code }) => code)).toEqual([
      'TIME_INVALID',
      'POSITION_MISSING',
      'SEGMENT_NOT_FOUND',
    ]);
    await tell(audiobooks, [report(book, 'f', 7_260, { position_ms: 9e9 })], user.userId);
    expect(await progressIn(audiobooks, user, book)).toMatchObject({ book_position_ms: 3_600_000 });
    // If a device sends the current time of its clock, the server corrects the times of its reports, even if the clock
    // is wrong by years.
    now += 600_000;
    for (const [device, wrongBy, minutesAgo] of [
      ['slow', -DAY, 2],
      ['fast', DAY, 1],
    ] as const) {
      const shown = (at: number): string => new Date(at + wrongBy).toISOString();
      const told = report(book, device, 0, { device_id: device, occurred_at: shown(now - minutesAgo * 60_000) });
      await tell(audiobooks, [told], user.userId, shown(now));
      const updated = new Date(now - minutesAgo * 60_000).toISOString();
      expect(await progressIn(audiobooks, user, book)).toMatchObject({ device_id: device, updated_at: updated });
    }
  });

  it('rewind, and leave a way back', async () => {
    const [book, user] = [await newBook(audiobooks), somebody()];
    const tellOne = (id: string, seconds: number, more: object) =>
      tell(audiobooks, [report(book, id, seconds, more)], user.userId);
    await tellOne('a', 600, {});
    await tellOne('b', 620, { event_type: 'seek', position_ms: 100_000 });
    await tellOne('c', 640, { device_id: 'desk', position_ms: 900_000 });
    await tellOne('d', 650, { device_id: 'desk', position_ms: 910_000 });
    await setProgress(audiobooks, user, book, { position_ms: 5_000 });
    await mergeFiles(audiobooks, book);
    expect(await jumpsIn(audiobooks, user, book)).toMatchObject([
      { reason: 'set', book_position_ms: 910_040, device_id: 'desk', generation: 2 },
      { reason: 'device', book_position_ms: 100_000, device_id: 'phone' },
      { reason: 'seek', book_position_ms: 600_040 },
    ]);
  });
});

describe('a finished book', () => {
  it('is one whose end was heard, and is begun again by playing its beginning', async () => {
    const [book, user] = [await newBook(audiobooks), somebody()];
    const at = async (id: string, seconds: number, position: number, type = 'progress') => {
      const more = { position_ms: position, event_type: type as 'progress' };
      await tell(audiobooks, [report(book, id, seconds, more)], user.userId);
      return progressIn(audiobooks, user, book);
    };
    expect(await at('a', 1, 3_599_000, 'seek')).toMatchObject({ finished: false });
    expect(await at('b', 2, 3_575_000)).toMatchObject({ finished: true, completions: 1 });
    expect(await at('c', 3, 0, 'start')).toMatchObject({ finished: true });
    expect(await at('d', 4, 1_800_000)).toMatchObject({ finished: true, completions: 1 });
    expect(await at('e', 5, 15_000)).toMatchObject({ finished: false, cycle: 1 });
    expect(await at('f', 6, 3_600_000, 'complete')).toMatchObject({ finished: true, completions: 2 });
    expect(await setProgress(audiobooks, user, book, { finished: false })).toMatchObject({ completions: 1 });
    expect(await at('g', 5.5, 3_600_000, 'complete')).toMatchObject({ finished: false });
    expect(await setProgress(audiobooks, user, book, { finished: true })).toMatchObject({ finished: true });
    await forgetProgress(audiobooks, user, book);
    expect(await progressIn(audiobooks, user, book)).toBeUndefined();
    expect(await at('h', 7, 100_000)).toBeUndefined();
    await changePreferences(audiobooks, user, { finished_when: { seconds: 0, percent: 50 } });
    now += 60_000;
    expect(await at('i', (now - NOON) / 1_000, 1_800_000)).toMatchObject({ finished: true, completions: 1 });
  });
});

describe('what was listened', () => {
  it('is never more than the clock: not with two devices, not at double speed, not across pauses and seeks', async () => {
    const [book, other, user] = [await newBook(audiobooks), await newBook(audiobooks, 'Other'), somebody()];
    await tell(audiobooks, listened(book, 'a', 0, 600), user.userId);
    await tell(audiobooks, listened(other, 'b', 300, 600, { device_id: 'desk' }), user.userId);
    const fast = [0, 60].map((second) =>
      report(book, `c${second}`, 3_000 + second, { position_ms: 2_000 * second, play_speed: 2, session_id: 'fast' }),
    );
    await tell(audiobooks, fast, user.userId);
    const places = [
      ['start', 4_000, 0],
      ['pause', 4_030, 30],
      ['progress', 4_090, 40],
      ['seek', 4_100, 900],
      ['progress', 4_500, 910],
    ] as const;
    const stops = places.map(([type, second, place]) =>
      report(book, `d${second}`, second, { event_type: type, position_ms: place * 1_000, session_id: 'stops' }),
    );
    await tell(audiobooks, stops, user.userId);
    const found = await statisticsOf(audiobooks, user, whole);
    // 15 minutes on two devices, 1 minute at double speed, 30 s before the pause, 12 s after the seek.
    expect(found.listen_seconds).toBe(900 + 60 + 30 + 12);
    expect(found.books.map(({ seconds }) => seconds)).toEqual([600 + 60 + 30 + 12, 600]);
    expect(found.plays).toBe(2);
    expect(found.authors).toMatchObject([{ name: 'Ann Author', seconds: 1_302 }]);
  });

  it('is told in days of the listener, each thing on one of them', async () => {
    const [book, user] = [await newBook(audiobooks), somebody()];
    // Two minutes before and two minutes after midnight in Berlin, which is at 22:00 UTC, ten hours after noon.
    now += DAY;
    await tell(audiobooks, listened(book, 'z', 35_880, 240), user.userId);
    await tell(audiobooks, [report(book, 'end', 36_125, { event_type: 'complete' })], user.userId);
    const days = async (zone: string) => {
      const { days: found, plays, finished } = await statisticsOf(audiobooks, user, { ...whole, zone });
      return [...found.map((day) => `${day.date}: ${day.seconds} s, ${day.finished.length} finished`), plays, finished];
    };
    expect(await days('UTC')).toEqual(['2026-06-01: 245 s, 1 finished', 1, 1]);
    expect(await days('Europe/Berlin')).toEqual([
      '2026-06-01: 120 s, 0 finished',
      '2026-06-02: 125 s, 1 finished',
      1,
      1,
    ]);
  });

  it('stays when its events are pruned and when its book is moved to another work', async () => {
    const [book, other, user] = [await newBook(audiobooks), await newBook(audiobooks, 'Other'), somebody()];
    await tell(audiobooks, listened(book, 'a', 0, 300), user.userId);
    await tell(audiobooks, listened(other, 'b', 1_000, 90), user.userId);
    await catchUp(audiobooks, user.userId);
    const work = async (id: string) => {
      const { work_id: own } = (await audiobooks.store.get(books, { id }))!;
      const key = { work: own! };
      return [await audiobooks.store.get(workPlays, key), await audiobooks.store.get(workListenSeconds, key)];
    };
    expect(await work(book)).toEqual([1, 300]);
    const target = (await audiobooks.store.get(books, { id: other }))!.work_id!;
    await editBook(audiobooks, { book, set: {}, work: target, by: 'test' });
    expect(await work(other)).toEqual([2, 390]);
    now += 400 * DAY;
    expect((await pruneEvents(audiobooks, { keepDays: 365, keepEvents: 2 })).removed).toBeGreaterThan(20);
    expect(await work(other)).toEqual([2, 390]);
    expect(await rebuildStatistics(audiobooks)).toMatchObject({ corrected: 0 });
    expect(await work(other)).toEqual([2, 390]);
    expect(await audiobooks.store.get(userListenSeconds, { user: user.userId })).toBe(390);
    expect((await statisticsOf(audiobooks, user, whole)).books).toMatchObject([
      { book: { id: book }, seconds: 300 },
      { book: { id: other }, seconds: 90 },
    ]);
  });

  it('is put right by counting again when a counter was damaged', async () => {
    const [book, user] = [await newBook(audiobooks), somebody()];
    await tell(audiobooks, listened(book, 'a', 0, 300), user.userId);
    await catchUp(audiobooks, user.userId);
    await audiobooks.store.transact(async (tx) => {
      tx.add(bookPlays, { book }, 41);
      tx.add(userListenSeconds, { user: user.userId }, -7);
    });
    expect(await rebuildStatistics(audiobooks)).toMatchObject({ corrected: 2 });
    expect(await audiobooks.store.get(bookPlays, { book })).toBe(1);
    expect(await audiobooks.store.get(userListenSeconds, { user: user.userId })).toBe(300);
  });
});

describe('marks and likes', () => {
  it('belong to one person and follow the files', async () => {
    const [book, user] = [await newBook(audiobooks), somebody()];
    const mark = await addBookmark(audiobooks, user, book, { position_ms: 700_000, note: 'here' });
    await mergeFiles(audiobooks, book);
    expect((await listBookmarks(audiobooks, user, book, { limit: 9 })).items).toMatchObject([
      { id: mark.id, book_position_ms: 700_040, generation: 2 },
    ]);
    const stranger = changeBookmark(audiobooks, somebody(), mark.id, { note: 'mine' });
    await expect(stranger).rejects.toMatchObject({ code: 'BOOKMARK_NOT_FOUND' });
    await changePreferences(audiobooks, user, { speed: 1.5, books: { [book]: { speed: 2 } } });
    await changePreferences(audiobooks, user, { sleep_minutes: 5 });
    expect(await preferencesOf(audiobooks, user)).toMatchObject({
      speed: 1.5,
      sleep_minutes: 5,
      books: { [book]: { speed: 2 } },
    });
  });

  it('go along when a book that is there twice becomes one', async () => {
    const [keep, other, user] = [await newBook(audiobooks), await newBook(audiobooks), somebody()];
    await tell(audiobooks, [report(keep, 'a', 60), report(other, 'b', 900)], user.userId);
    await addBookmark(audiobooks, user, other, { position_ms: 5_000, note: 'kept' });
    await mergeBooks(audiobooks, { keep, other, by: 'test' });
    expect(await progressIn(audiobooks, user, keep)).toMatchObject({ book_position_ms: 900_000 });
    expect(await jumpsIn(audiobooks, user, keep)).toMatchObject([{ reason: 'merge', book_position_ms: 60_000 }]);
    expect((await listBookmarks(audiobooks, user, keep, { limit: 9 })).items).toMatchObject([{ note: 'kept' }]);
    expect((await audiobooks.store.get(progress, { user_id: user.userId, book_id: keep }))!.generation).toBe(1);
    expect((await audiobooks.store.verify()).problems).toEqual([]);
  });
});
