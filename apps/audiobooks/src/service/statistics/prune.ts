import { DAY, failpoint } from '@holdfast/base';
import type { Transaction } from '@holdfast/keyspace';
import { RETENTION } from '../../model/choices.ts';
import type { PlaybackEvent } from '../../model/playback.ts';
import { toTime } from '../../model/stored.ts';
import { playbackEvents, userTallies } from '../../store/definitions.ts';
import { removeEvent } from '../../store/events.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { catchUp } from './catch-up.ts';
import { listeningUsers } from './listening-users.ts';
import { Tallying } from './tallying.ts';

export interface Retention {
  /** Keeps events of this many days. */
  readonly keepDays: number;
  /** Also keeps this many latest events per person and book, however old. */
  readonly keepEvents: number;
}

const STEP = 500;

export interface Pruned {
  readonly users: number;
  readonly removed: number;
}

/**
 * Removes old events without changing totals: first adds them to the kept totals, moving the mark in the same
 * transaction, then deletes them. Resumes after a crash. Keeps the last event of each book and events that finished
 * one.
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

/** Adds events to the kept totals, from the mark up to the first event that `isWanted` rejects. */
export async function keepCounts(
  { store }: Audiobooks,
  user: string,
  isWanted: (event: PlaybackEvent) => boolean,
): Promise<void> {
  for (let goesOn = true; goesOn;) {
    goesOn = await store.transact(async (tx) => {
      const tallying = await Tallying.open(tx, 'kept', user);
      const start = tallying.before.seq + 1;
      // Stop at uncounted events, or the next count would lose them.
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

/** Returns the id of the oldest of the latest `keep` events of a book. Ids increase with time. */
async function oldestToStay(tx: Transaction, user: string, book: string, keep: number): Promise<string> {
  const key = { user_id: user, book_id: book };
  const newest = await tx.list(playbackEvents, key, { reverse: true, limit: keep });
  return newest.at(-1)?.id ?? '';
}
