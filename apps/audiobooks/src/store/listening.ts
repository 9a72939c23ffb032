import type { Reads, Transaction } from '@holdfast/keyspace';
import type { Jump, PlaybackEvent } from '../model/playback.ts';
import { DEFAULT_PREFERENCES, type PreferenceChanges, type Preferences, preferencesShape } from '../model/records.ts';
import type { FinishedWhen } from '../model/progress-rules.ts';
import { eventIds, jumps, playbackEvents, preferences } from './definitions.ts';

/** Stores an event and its client id, by which repeated uploads are recognised. */
export async function writeEvent(tx: Transaction, event: PlaybackEvent): Promise<void> {
  const { user_id: user, book_id: book, id, client_event_id: clientId } = event;
  await tx.put(playbackEvents, { user_id: user, book_id: book, id }, event);
  if (clientId === null) return;
  await tx.put(eventIds, { user, client_event_id: clientId }, `${book}:${id}`);
}

export async function isKnownEvent(tx: Transaction, user: string, clientId: string): Promise<boolean> {
  return (await tx.get(eventIds, { user, client_event_id: clientId })) !== undefined;
}

/** Returns whether the event existed. */
export async function removeEvent(tx: Transaction, event: PlaybackEvent): Promise<boolean> {
  const { user_id: user, book_id: book, id, client_event_id: clientId } = event;
  if (clientId !== null) await tx.delete(eventIds, { user, client_event_id: clientId });
  return tx.delete(playbackEvents, { user_id: user, book_id: book, id });
}

const JUMPS_MAX = 20;

export async function rememberJump(
  tx: Transaction,
  key: { readonly user_id: string; readonly book_id: string },
  jump: Jump,
): Promise<void> {
  const known = (await tx.get(jumps, key))?.jumps ?? [];
  await tx.put(jumps, key, { jumps: [jump, ...known].slice(0, JUMPS_MAX), version: 1 });
}

/** Prefix of the keys for book speeds; each book has its own key. */
const BOOK_PREFIX = 'book.';

export async function finishedWhen(reads: Reads, user: string): Promise<FinishedWhen> {
  const stored = await reads.get(preferences, { user, name: 'finished_when' });
  const read = preferencesShape.shape.finished_when.safeParse(stored?.value);
  return read.success ? read.data : DEFAULT_PREFERENCES.finished_when;
}

export async function readPreferences(reads: Reads, user: string): Promise<Preferences> {
  const found = new Map<string, unknown>();
  const books = new Map<string, unknown>();
  for (const { key, value } of await reads.entries(preferences, { user })) {
    if (key.name.startsWith(BOOK_PREFIX)) books.set(key.name.slice(BOOK_PREFIX.length), value.value);
    else found.set(key.name, value.value);
  }
  const read = preferencesShape.safeParse({
    ...DEFAULT_PREFERENCES,
    ...Object.fromEntries(found),
    books: Object.fromEntries(books),
  });
  // If one stored value is no longer valid, returns the defaults for all preferences.
  return read.success ? read.data : DEFAULT_PREFERENCES;
}

export async function writePreferences(
  tx: Transaction,
  user: string,
  { books = {}, ...fields }: PreferenceChanges,
): Promise<void> {
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) await tx.put(preferences, { user, name }, { value, version: 1 });
  }
  for (const [book, { speed }] of Object.entries(books)) {
    const key = { user, name: `${BOOK_PREFIX}${book}` };
    if (speed === null) await tx.delete(preferences, key);
    else await tx.put(preferences, key, { value: { speed }, version: 1 });
  }
}
