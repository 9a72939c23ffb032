import { DAY, failpoint } from '@holdfast/base';
import { afterKey, type Transaction } from '@holdfast/keyspace';
import { RETENTION } from '../../model/choices.ts';
import type { PlaybackEvent } from '../../model/playback.ts';
import { toTime } from '../../model/stored.ts';
import { type BookTally, EMPTY_BOOK_TALLY, EMPTY_USER_TALLY } from '../../model/tally.ts';
import { readBook } from '../../store/books.ts';
import {
  bookListenSeconds,
  bookPlays,
  books,
  bookTallies,
  dayTallies,
  eventIds,
  eventNumbers,
  playbackEvents,
  userListenSeconds,
  userTallies,
  workListenSeconds,
  workPlays,
  works,
} from '../../store/definitions.ts';
import { removeEvent, writeEvent } from '../../store/listening.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { Tallying } from './tallying.ts';

/** Number of events that are counted per transaction. It is limited, so that other writers do not wait long. */
const STEP = 500;

/** Counts new events; call it before reading statistics. Returns the number of counted events. */
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

/** Counts a batch of events and stores the number of the last one in the same transaction, so no event counts twice. */
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

/** Rounds down to whole seconds. Apply it to the totals of a user or a book, not to each event. */
export function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1_000);
}

/** Adds to the counters of a book and its work. */
async function addToBook(tx: Transaction, book: string, plays: number, listened: number): Promise<void> {
  if (plays === 0 && listened === 0) return;
  const work = (await readBook(tx, book))?.work_id ?? null;
  if (plays !== 0) tx.add(bookPlays, { book }, plays);
  if (listened !== 0) tx.add(bookListenSeconds, { book }, listened);
  if (work === null) return;
  if (plays !== 0) tx.add(workPlays, { work }, plays);
  if (listened !== 0) tx.add(workListenSeconds, { work }, listened);
}

/** Yields every user who has events. */
export async function* listeningUsers({ store }: Audiobooks): AsyncGenerator<string, void, undefined> {
  const { template } = eventNumbers;
  const { gte: first, lt } = template.range({});
  for (let gte = first; ;) {
    const [entry] = await store.engine.range({ gte, lt, limit: 1, reverse: false });
    if (entry === undefined) return;
    const user = template.decode(entry[0])?.['user'];
    if (typeof user === 'string') yield user;
    gte = afterKey(entry[0]);
  }
}

/** Includes users whose events were all pruned. */
async function tallyUsers({ store }: Audiobooks): Promise<ReadonlySet<string>> {
  const users = new Set<string>();
  for (const side of ['now', 'kept'] as const) {
    for (const { key } of await store.entries(userTallies, { side })) users.add(key.user);
  }
  return users;
}

interface Retention {
  /** Number of days for which events are kept. */
  readonly keepDays: number;
  /** Number of latest events per user and book that are kept, however old they are. */
  readonly keepEvents: number;
}

interface Pruned {
  readonly users: number;
  readonly removed: number;
}

/**
 * Removes old events without changing totals. First adds the events to the kept totals, and stores the number of the
 * last added event in the same transaction, so that it can resume after a crash. Then deletes the events. Never deletes
 * the last event of a book or an event that finished a book.
 */
export async function pruneEvents(audiobooks: Audiobooks, retention: Retention = RETENTION): Promise<Pruned> {
  let users = 0;
  let removed = 0;
  for await (const user of listeningUsers(audiobooks)) {
    users += 1;
    removed += await pruneUser(audiobooks, user, retention);
  }
  return { users, removed };
}

async function pruneUser(audiobooks: Audiobooks, user: string, retention: Retention): Promise<number> {
  await catchUp(audiobooks, user);
  const before = toTime(audiobooks.now() - retention.keepDays * DAY);
  await keepCounts(audiobooks, user, (event) => event.created_at < before);
  return removeEvents(audiobooks, user, Math.max(1, retention.keepEvents));
}

/** Adds further events to the kept totals, until `isWanted` rejects one. */
async function keepCounts(
  { store }: Audiobooks,
  user: string,
  isWanted: (event: PlaybackEvent) => boolean,
): Promise<void> {
  for (let hasMore = true; hasMore;) {
    hasMore = await store.transact(async (tx) => {
      const tallying = await Tallying.open(tx, 'kept', user);
      const start = tallying.before.seq + 1;
      // Stops at events that are not in the current totals yet: if they were deleted, the next count would miss them.
      const counted = (await tx.get(userTallies, { side: 'now', user }))?.seq ?? 0;
      const events = await tx.list(playbackEvents.by.user, { user_id: user }, { start, limit: STEP });
      const old = events.slice(
        0,
        whole(
          events.findIndex((event) => event.seq > counted || !isWanted(event)),
          events,
        ),
      );
      if (old.length === 0) return false;
      for (const event of old) await tallying.count(event);
      await tallying.write();
      return old.length === STEP;
    });
    failpoint('audiobooks.prune.kept');
  }
}

function whole(index: number, events: readonly PlaybackEvent[]): number {
  return index === -1 ? events.length : index;
}

async function removeEvents({ store }: Audiobooks, user: string, keepEvents: number): Promise<number> {
  const bounds = new Map<string, string>();
  let removed = 0;
  for (let start: number | undefined = 1; start !== undefined;) {
    const from: number = start;
    const step = await store.transact((tx) => removeStep(tx, user, from, keepEvents, bounds));
    failpoint('audiobooks.prune.removed');
    removed += step.removed;
    start = step.next;
  }
  return removed;
}

async function removeStep(
  tx: Transaction,
  user: string,
  start: number,
  keepEvents: number,
  bounds: Map<string, string>,
): Promise<{ readonly removed: number; readonly next: number | undefined }> {
  const kept = (await tx.get(userTallies, { side: 'kept', user }))?.seq ?? 0;
  if (start > kept) return { removed: 0, next: undefined };
  const range = { start, end: kept + 1, limit: STEP };
  const events = await tx.list(playbackEvents.by.user, { user_id: user }, range);
  let removed = 0;
  for (const event of events) {
    const { id, book_id: book, event_type: type } = event;
    if (!bounds.has(book)) bounds.set(book, await oldestToStay(tx, user, book, keepEvents));
    if (type === 'complete' || id >= (bounds.get(book) ?? '')) continue;
    if (await removeEvent(tx, event)) removed += 1;
  }
  const last = events.at(-1);
  return { removed, next: last === undefined || events.length < STEP ? undefined : last.seq + 1 };
}

/** Returns the id of the oldest of a book's newest `keep` events. Ids increase with time. */
async function oldestToStay(tx: Transaction, user: string, book: string, keep: number): Promise<string> {
  const key = { user_id: user, book_id: book };
  const newest = await tx.list(playbackEvents, key, { reverse: true, limit: keep });
  return newest.at(-1)?.id ?? '';
}

interface Rebuilt {
  readonly users: number;
  readonly events: number;
  readonly corrected: number;
}

/** Recomputes every counter from the kept totals and stored events. Restores missing event numbers and ids first. */
export async function rebuildStatistics(audiobooks: Audiobooks): Promise<Rebuilt> {
  const { store } = audiobooks;
  const { lastNumbers, unknownEvents } = await examineEvents(audiobooks);
  for (const event of unknownEvents) await store.transact((tx) => writeEvent(tx, event));
  for (const [user, last] of lastNumbers) {
    await store.transact(async (tx) => {
      const gap = last - (await tx.get(eventNumbers, { user }));
      if (gap > 0) tx.add(eventNumbers, { user }, gap);
    });
  }
  const users = new Set([...(await tallyUsers(audiobooks)), ...lastNumbers.keys()]);
  for await (const user of listeningUsers(audiobooks)) users.add(user);
  let events = 0;
  for (const user of users) {
    await store.transact((tx) => resetToKept(tx, user));
    failpoint('audiobooks.stats.reset');
    events += await catchUp(audiobooks, user);
  }
  return { users: users.size, events, corrected: (await checkCounters(audiobooks, users, true)).length };
}

interface ListeningProblem {
  readonly key: string;
  readonly detail: string;
}

/** Finds inconsistent listening data, for example after an incomplete import. */
export async function listeningProblems(audiobooks: Audiobooks): Promise<readonly ListeningProblem[]> {
  const { lastNumbers, unknownEvents } = await examineEvents(audiobooks);
  const found: ListeningProblem[] = unknownEvents.map(({ user_id: user, client_event_id: id }) => ({
    key: eventIds.template.encode({ user, client_event_id: id ?? '' }),
    detail: 'is missing, so a repeated event would count twice',
  }));
  for (const [user, last] of lastNumbers) {
    const number = await audiobooks.store.get(eventNumbers, { user });
    const detail = `is ${number}, but event ${last} exists`;
    if (number < last) found.push({ key: eventNumbers.template.encode({ user }), detail });
  }
  return [...found, ...(await checkCounters(audiobooks, await tallyUsers(audiobooks), false))];
}

async function examineEvents({ store }: Audiobooks) {
  const lastNumbers = new Map<string, number>();
  const unknownEvents: PlaybackEvent[] = [];
  for await (const event of store.scan(playbackEvents, {})) {
    const { user_id: user, client_event_id: id, seq } = event;
    lastNumbers.set(user, Math.max(lastNumbers.get(user) ?? 0, seq));
    const isKnown = id === null || (await store.get(eventIds, { user, client_event_id: id })) !== undefined;
    if (!isKnown) unknownEvents.push(event);
  }
  return { lastNumbers, unknownEvents };
}

/** Resets current totals to the kept ones. */
async function resetToKept(tx: Transaction, user: string): Promise<void> {
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

/** Compares every counter with the totals; corrects it if requested. */
async function checkCounters(
  { store }: Audiobooks,
  users: ReadonlySet<string>,
  correct: boolean,
): Promise<readonly ListeningProblem[]> {
  const wrong: ListeningProblem[] = [];
  const check = async (
    tx: Transaction,
    definition: AnyCounter,
    parts: Readonly<Record<string, string>>,
    value: number,
  ) => {
    const stored = await tx.get(definition, parts as never);
    if (stored === value) return;
    wrong.push({ key: definition.template.encode(parts), detail: `is ${stored}, counted ${value}` });
    if (correct) tx.add(definition, parts as never, value - stored);
  };
  for (const user of users) {
    await store.transact(async (tx) => {
      const tally = await tx.get(userTallies, { side: 'now', user });
      await check(tx, userListenSeconds, { user }, seconds(tally?.listen_ms ?? 0));
    });
  }
  for await (const { id } of store.scan(books, {})) {
    await store.transact(async (tx) => {
      const tallies = await tx.list(bookTallies.by.book, { side: 'now', book: id });
      const sum = (amount: (tally: BookTally) => number): number => tallies.reduce((all, one) => all + amount(one), 0);
      await check(
        tx,
        bookPlays,
        { book: id },
        sum(({ plays }) => plays),
      );
      await check(
        tx,
        bookListenSeconds,
        { book: id },
        sum(({ listen_ms: time }) => seconds(time)),
      );
    });
  }
  for await (const { id } of store.scan(works, {})) {
    await store.transact(async (tx) => {
      let [plays, listened] = [0, 0];
      for (const book of await tx.list(books.by.work, { work_id: id })) {
        plays += await tx.get(bookPlays, { book: book.id });
        listened += await tx.get(bookListenSeconds, { book: book.id });
      }
      await check(tx, workPlays, { work: id }, plays);
      await check(tx, workListenSeconds, { work: id }, listened);
    });
  }
  return wrong;
}

type AnyCounter =
  typeof bookPlays | typeof bookListenSeconds | typeof workPlays | typeof workListenSeconds | typeof userListenSeconds;
