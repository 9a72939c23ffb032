import type { Reads, Transaction } from '@holdfast/keyspace';
import {
  DEFAULT_PREFERENCES,
  type PreferenceChanges,
  type Preferences,
  preferencesShape,
} from '../model/preferences.ts';
import type { FinishedWhen } from '../model/progress-rules.ts';
import { preferences } from './definitions.ts';

/** Each book's speed has its own key. */
const BOOK_PREFIX = 'book.';

export async function finishedWhen(reads: Reads, user: string): Promise<FinishedWhen> {
  const stored = await reads.get(preferences, { user, name: 'finished_when' });
  const read = preferencesShape.shape.finished_when.safeParse(stored?.value);
  return read.success ? read.data : DEFAULT_PREFERENCES.finished_when;
}

export async function readPreferences(reads: Reads, user: string): Promise<Preferences> {
  const found: Record<string, unknown> = {};
  const books: Record<string, unknown> = {};
  for (const { key, value } of await reads.entries(preferences, { user })) {
    if (key.name.startsWith(BOOK_PREFIX)) books[key.name.slice(BOOK_PREFIX.length)] = value.value;
    else found[key.name] = value.value;
  }
  const read = preferencesShape.safeParse({ ...DEFAULT_PREFERENCES, ...found, books });
  // Ignores stored values that are no longer valid.
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

export async function forgetBookPreferences(tx: Transaction, user: string, book: string): Promise<void> {
  await tx.delete(preferences, { user, name: `${BOOK_PREFIX}${book}` });
}
