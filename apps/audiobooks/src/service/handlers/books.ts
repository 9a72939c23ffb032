import type { Caller, ObjectValue } from '@holdfast/operation';
import { BOOK_FIELDS } from '../../model/choices.ts';
import { audiobookErrors } from '../../model/errors.ts';
import type { bookChanges, bookFilters, historyFilters } from '../../operations/books.ts';
import type { ByBook } from '../../operations/fields.ts';
import { historyOfBook } from '../../store/books.ts';
import { books } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import {
  editBook as applyEdit,
  deleteBook as removeFromLists,
  restoreBook as restoreToLists,
} from '../changes/edit-book.ts';
import { undoField } from '../changes/undo-change.ts';
import { type Listener, listenerOf, readerOf, requireEdit, visibleBook } from '../listener.ts';
import { browseBooks } from '../queries/browse-books.ts';
import { searchGroups } from '../queries/groups.ts';
import { resolveDeletedBook } from '../queries/resolve.ts';
import { shelvesOf } from '../shelves.ts';
import { bookDetail, bookRows, showBook as readBookView } from '../views.ts';

export async function listBooks(
  audiobooks: Audiobooks,
  { order, ...input }: ObjectValue<typeof bookFilters>,
  caller: Caller,
) {
  const listener = await listenerOf(audiobooks, caller);
  if (input.state === 'deleted' && !listener.can.edit) return { data: [], next_cursor: null, total: 0 };
  const isNewestFirst = input.sort === 'added' || input.sort === 'recent';
  const reverse = order === undefined ? isNewestFirst : order === 'desc';
  const found = await browseBooks(audiobooks, listener, { ...input, reverse });
  return {
    data: await bookRows(audiobooks.reader, found.items, listener.userId),
    next_cursor: found.cursor ?? null,
    total: found.total ?? null,
  };
}

export async function showBook(audiobooks: Audiobooks, { book }: ByBook, caller: Caller) {
  const listener = await listenerOf(audiobooks, caller);
  return detailOf(audiobooks, listener, (await visibleBook(audiobooks.reader, listener, book)).id);
}

async function detailOf(audiobooks: Audiobooks, listener: Listener, id: string) {
  return bookDetail(audiobooks.reader, await readBookView(audiobooks, id), listener);
}

export async function editBook(audiobooks: Audiobooks, input: ObjectValue<typeof bookChanges>, caller: Caller) {
  const listener = await listenerOf(audiobooks, caller);
  const {
    book: given,
    work_id: work,
    lock,
    unlock,
    locks,
    keep_open: keepOpen,
    if_revision: ifRevision,
    ...fields
  } = input;
  const book = await visibleBook(audiobooks.reader, listener, given);
  requireEdit(listener);
  const set = changesOf(fields);
  const changesLocks = lock.length > 0 || unlock.length > 0 || locks !== undefined;
  if (Object.keys(set).length === 0 && !changesLocks && work === undefined) {
    throw audiobookErrors.FIELD_INVALID('There is nothing to change.');
  }
  if (typeof work === 'string') await requireVisibleWork(audiobooks, listener, work);
  const exact = locks === undefined ? { lock, unlock, keepOpen } : exactLocks(locks);
  await applyEdit(audiobooks, {
    book: book.id,
    set,
    ...exact,
    ...(work === undefined ? {} : { work }),
    ifRevision,
    by: listener.name,
  });
  return detailOf(audiobooks, listener, book.id);
}

function exactLocks(locks: readonly string[]) {
  return { keepOpen: true, lock: locks, unlock: BOOK_FIELDS.filter((field) => !locks.includes(field)) };
}

/** Drops empty names: a list with only an empty name clears the field. */
function changesOf(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const set = new Map<string, unknown>();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const listed = Array.isArray(value) ? value.filter((item) => item !== '') : value;
    set.set(name, name === 'series' ? (listed as readonly unknown[]).map(seriesOf) : listed);
  }
  return Object.fromEntries(set);
}

/** Parses `Name` or `Name #2.5`. */
function seriesOf(given: unknown): unknown {
  if (typeof given !== 'string') return given;
  const match = /^(.*?)\s*#\s*(\S+)$/u.exec(given);
  return { name: match?.[1] ?? given, sequence: match?.[2] ?? null };
}

async function requireVisibleWork({ reader }: Audiobooks, listener: Listener, work: string): Promise<void> {
  for await (const book of reader.scan(books.by.work, { work_id: work })) if (listener.sees(book)) return;
  throw audiobookErrors.WORK_NOT_FOUND(`There is no work ${work}.`);
}

export async function deleteBook(audiobooks: Audiobooks, { book: given }: ByBook, caller: Caller) {
  const listener = await listenerOf(audiobooks, caller);
  const book = await visibleBook(audiobooks.reader, listener, given);
  requireEdit(listener);
  if (book.deleted_at === null) await removeFromLists(audiobooks, book.id);
  return detailOf(audiobooks, listener, book.id);
}

export async function restoreBook(audiobooks: Audiobooks, { book: given }: ByBook, caller: Caller) {
  const listener = await listenerOf(audiobooks, caller);
  const book = await resolveDeletedBook(audiobooks.reader, given, (candidate) => listener.sees(candidate));
  requireEdit(listener);
  if (book.deleted_at !== null) await restoreToLists(audiobooks, book.id);
  return detailOf(audiobooks, listener, book.id);
}

export async function bookHistory(audiobooks: Audiobooks, input: ObjectValue<typeof historyFilters>, caller: Caller) {
  const { book: given, field, ...page } = input;
  const listener = await listenerOf(audiobooks, caller);
  const book = await visibleBook(audiobooks.reader, listener, given);
  const { items, cursor } = await historyOfBook(audiobooks.reader, book.id, field, page);
  return { data: items, next_cursor: cursor ?? null };
}

export async function revertChange(audiobooks: Audiobooks, input: ByBook & { readonly entry: string }, caller: Caller) {
  const { book: given, entry } = input;
  const listener = await listenerOf(audiobooks, caller);
  const book = await visibleBook(audiobooks.reader, listener, given);
  requireEdit(listener);
  await undoField(audiobooks, { book: book.id, entry, by: listener.name });
  return detailOf(audiobooks, listener, book.id);
}

const SUGGESTED_BOOKS = 8;
const SUGGESTED_GROUPS = 5;

export async function search(audiobooks: Audiobooks, { q }: { readonly q: string }, caller: Caller) {
  const listener = await listenerOf(audiobooks, caller);
  const found = await browseBooks(audiobooks, listener, { q, limit: SUGGESTED_BOOKS });
  const [authors, series, narrators] = await Promise.all([
    searchGroups(audiobooks, listener, 'author', q, SUGGESTED_GROUPS),
    searchGroups(audiobooks, listener, 'series', q, SUGGESTED_GROUPS),
    searchGroups(audiobooks, listener, 'narrator', q, SUGGESTED_GROUPS),
  ]);
  return { books: await bookRows(audiobooks.reader, found.items, listener.userId), authors, series, narrators };
}

export async function showShelves(audiobooks: Audiobooks, _input: object, caller: Caller) {
  const listener = await readerOf(audiobooks, caller);
  const shelves = await shelvesOf(audiobooks, listener);
  const rows = (shelf: keyof typeof shelves) => bookRows(audiobooks.reader, shelves[shelf], listener.userId);
  return {
    continue: await rows('continue'),
    next_in_series: await rows('next_in_series'),
    recently_added: await rows('recently_added'),
    finished: await rows('finished'),
  };
}
