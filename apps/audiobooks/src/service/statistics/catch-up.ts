import { failpoint } from '@holdfast/base';
import type { Transaction } from '@holdfast/keyspace';
import { readBook } from '../../store/books.ts';
import {
  bookListenSeconds,
  bookPlays,
  eventNumbers,
  playbackEvents,
  userListenSeconds,
  userTallies,
  workListenSeconds,
  workPlays,
} from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { Tallying } from './tallying.ts';

/** Events counted per transaction, bounded to avoid blocking other writers. */
const STEP = 500;

/** Counts new events; call before reading statistics. Returns the number of events. */
export async function catchUp(audiobooks: Audiobooks, user: string): Promise<number> {
  if (await isUpToDate(audiobooks, user)) return 0;
  let counted = 0;
  for (;;) {
    const step = await audiobooks.store.transact((tx) => countStep(tx, user));
    failpoint('audiobooks.stats.counted');
    counted += step;
    if (step < STEP) return counted;
  }
}

async function isUpToDate({ store }: Audiobooks, user: string): Promise<boolean> {
  return store.snapshot(async (reads) => {
    const tally = await reads.get(userTallies, { side: 'now', user });
    return (tally?.seq ?? 0) >= (await reads.get(eventNumbers, { user }));
  });
}

/** Moves the mark and all counters in one transaction, so that nothing counts twice. */
async function countStep(tx: Transaction, user: string): Promise<number> {
  const tallying = await Tallying.open(tx, 'now', user);
  const start = tallying.before.seq + 1;
  const events = await tx.list(playbackEvents.by.user, { user_id: user }, { start, limit: STEP });
  if (events.length === 0) return 0;
  for (const event of events) await tallying.count(event);
  await tallying.write();
  const grown = seconds(tallying.after.listen_ms) - seconds(tallying.before.listen_ms);
  if (grown !== 0) tx.add(userListenSeconds, { user }, grown);
  for (const [book, { before, after }] of tallying.books) {
    const plays = after.plays - before.plays;
    await addToBook(tx, book, plays, seconds(after.listen_ms) - seconds(before.listen_ms));
  }
  return events.length;
}

/** Rounds down to whole seconds, per person and book. */
export function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1_000);
}

/** Adds to the counters of a book and its work. A purged book counts only for its listeners. */
export async function addToBook(tx: Transaction, book: string, plays: number, listened: number): Promise<void> {
  if (plays === 0 && listened === 0) return;
  const record = await readBook(tx, book);
  if (record === undefined) return;
  const work = record.work_id;
  if (plays !== 0) tx.add(bookPlays, { book }, plays);
  if (listened !== 0) tx.add(bookListenSeconds, { book }, listened);
  if (work === null) return;
  if (plays !== 0) tx.add(workPlays, { work }, plays);
  if (listened !== 0) tx.add(workListenSeconds, { work }, listened);
}
