import { failpoint } from '@holdfast/base';
import type { Reads, Transaction } from '@holdfast/keyspace';
import { EMPTY_BOOK_TALLY, EMPTY_USER_TALLY } from '../../model/tally.ts';
import {
  bookListenSeconds,
  bookPlays,
  books,
  bookTallies,
  dayTallies,
  userListenSeconds,
  userTallies,
  workListenSeconds,
  workPlays,
  works,
} from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { addToBook, catchUp, seconds } from './catch-up.ts';
import { listeningUsers, tallyUsers } from './listening-users.ts';

export interface Rebuilt {
  readonly users: number;
  readonly events: number;
  readonly corrected: number;
}

/** Recomputes every counter from the kept totals and the remaining events. */
export async function rebuildStatistics(audiobooks: Audiobooks): Promise<Rebuilt> {
  const users = new Set(await tallyUsers(audiobooks));
  for await (const user of listeningUsers(audiobooks)) users.add(user);
  let events = 0;
  for (const user of users) {
    await audiobooks.store.transact((tx) => goBackToKept(tx, user));
    failpoint('audiobooks.stats.reset');
    events += await catchUp(audiobooks, user);
  }
  return { users: users.size, events, corrected: await correctCounters(audiobooks, users) };
}

/** Resets current totals to the kept ones in one transaction. */
async function goBackToKept(tx: Transaction, user: string): Promise<void> {
  const [now, kept] = [
    { side: 'now', user },
    { side: 'kept', user },
  ];
  const before = new Map((await tx.entries(bookTallies, now)).map(({ key, value }) => [key.book, value]));
  const after = new Map((await tx.entries(bookTallies, kept)).map(({ key, value }) => [key.book, value]));
  for (const book of new Set([...before.keys(), ...after.keys()])) {
    const [old, next] = [before.get(book) ?? EMPTY_BOOK_TALLY, after.get(book)];
    if (next === undefined) await tx.delete(bookTallies, { ...now, book });
    else await tx.put(bookTallies, { ...now, book }, next);
    const listened = seconds(next?.listen_ms ?? 0) - seconds(old.listen_ms);
    await addToBook(tx, book, (next?.plays ?? 0) - old.plays, listened);
  }
  for (const { key } of await tx.entries(dayTallies, now)) await tx.delete(dayTallies, key);
  for (const { key, value } of await tx.entries(dayTallies, kept)) {
    await tx.put(dayTallies, { ...now, date: key.date }, value);
  }
  const old = (await tx.get(userTallies, now)) ?? EMPTY_USER_TALLY;
  const next = (await tx.get(userTallies, kept)) ?? EMPTY_USER_TALLY;
  await tx.put(userTallies, now, next);
  const listened = seconds(next.listen_ms) - seconds(old.listen_ms);
  if (listened !== 0) tx.add(userListenSeconds, { user }, listened);
}

async function correctCounters(audiobooks: Audiobooks, users: ReadonlySet<string>): Promise<number> {
  const { store } = audiobooks;
  let corrected = 0;
  for (const user of users) {
    corrected += await store.transact(async (tx) => {
      const tally = await tx.get(userTallies, { side: 'now', user });
      return setCounter(tx, userListenSeconds, { user }, seconds(tally?.listen_ms ?? 0));
    });
  }
  for await (const { id } of store.scan(books, {})) {
    corrected += await store.transact(async (tx) => {
      const { plays, listened } = await countedFor(tx, id);
      return (
        (await setCounter(tx, bookPlays, { book: id }, plays)) +
        (await setCounter(tx, bookListenSeconds, { book: id }, listened))
      );
    });
  }
  for await (const { id } of store.scan(works, {})) {
    corrected += await store.transact(async (tx) => {
      let [plays, listened] = [0, 0];
      for (const book of await tx.list(books.by.work, { work_id: id })) {
        plays += await tx.get(bookPlays, { book: book.id });
        listened += await tx.get(bookListenSeconds, { book: book.id });
      }
      return (
        (await setCounter(tx, workPlays, { work: id }, plays)) +
        (await setCounter(tx, workListenSeconds, { work: id }, listened))
      );
    });
  }
  return corrected;
}

async function countedFor(reads: Reads, book: string): Promise<{ readonly plays: number; readonly listened: number }> {
  let [plays, listened] = [0, 0];
  for (const tally of await reads.list(bookTallies.by.book, { side: 'now', book })) {
    plays += tally.plays;
    listened += seconds(tally.listen_ms);
  }
  return { plays, listened };
}

type AnyCounter = typeof bookPlays | typeof bookListenSeconds | typeof workPlays | typeof userListenSeconds;

async function setCounter(
  tx: Transaction,
  definition: AnyCounter | typeof workListenSeconds,
  key: Readonly<Record<string, string>>,
  value: number,
): Promise<number> {
  const stored = await tx.get(definition, key as never);
  if (stored === value) return 0;
  tx.add(definition, key as never, value - stored);
  return 1;
}
