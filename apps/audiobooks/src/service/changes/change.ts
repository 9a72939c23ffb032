import type { Transaction } from '@holdfast/keyspace';
import type { Book, Source } from '../../model/book.ts';
import type { BookField } from '../../model/choices.ts';
import { type FieldChanges, type FieldValues, fieldValues, sameValue } from '../../model/fields.ts';
import { parseIsbn } from '../../model/normalize.ts';
import type { Operation } from '../../model/operation.ts';
import type { HistoryEntry } from '../../model/records.ts';
import { findOrCreateAuthor, findOrCreateSeries, type Stamp, writeHistory } from '../../store/books.ts';
import { operations } from '../../store/definitions.ts';
import { makeOperation, type NewOperation } from '../../store/operations.ts';
import { type Audiobooks, stampFor } from '../audiobooks.ts';

interface Change {
  readonly tx: Transaction;
  readonly editor: Editor;
}

export interface Changed<T> {
  readonly value: T;
  readonly operation: Operation;
}

/**
 * Makes a short change and records it as a finished operation in the same transaction, so that it can be listed and
 * undone. `body` returns the caller's result and the undo data.
 */
export function changeAtOnce<T>(
  audiobooks: Audiobooks,
  request: Omit<NewOperation, 'target'>,
  body: (change: Change) => Promise<{ readonly value: T; readonly result: Readonly<Record<string, unknown>> }>,
): Promise<Changed<T>> {
  const id = audiobooks.newId();
  const stamp = stampFor(audiobooks);
  return audiobooks.store.transact(async (tx) => {
    const editor = { ...stamp, by: request.createdBy, operationId: id };
    const { value, result } = await body({ tx, editor });
    const operation: Operation = {
      ...makeOperation({ ...request, target: `change:${id}` }, id, stamp.at),
      status: 'completed',
      result: { ...result },
      undoable: true,
      started_at: stamp.at,
      completed_at: stamp.at,
    };
    await tx.put(operations, { id }, operation);
    return { value, operation };
  });
}

export interface Editor extends Stamp {
  readonly by: string;
  readonly operationId: string | null;
}

/**
 * Sets fields of a book: resolves names to authors and series, and records each change in the history. Skips fields
 * that already have the value. Returns the book without storing it.
 */
export async function setFields(
  tx: Transaction,
  book: Book,
  changes: FieldChanges,
  sources: Readonly<Partial<Record<BookField, Source>>>,
  editor: Editor,
): Promise<Book> {
  const before = fieldValues(book);
  let changed = book;
  for (const field of Object.keys(changes) as BookField[]) {
    const value = changes[field];
    const source = sources[field];
    if (value === undefined || source === undefined || sameValue(before[field], value)) continue;
    const next = await setField(tx, changed, field, value, editor);
    // Another spelling of the same name is not a change.
    const after = fieldValues(next)[field];
    if (sameValue(before[field], after)) continue;
    changed = { ...next, provenance: { ...next.provenance, [field]: source } };
    // A new book gets no history entries.
    if (book.revision === 0) continue;
    await recordFieldChange(tx, { book, field, before: before[field], after, source }, editor);
  }
  return changed;
}

interface FieldChange extends Pick<HistoryEntry, 'field' | 'before' | 'after' | 'source'> {
  readonly book: Pick<Book, 'id'>;
}

export function recordFieldChange(tx: Transaction, { book, ...change }: FieldChange, editor: Editor): Promise<void> {
  const { by, operationId, at, newId } = editor;
  return writeHistory(tx, { id: newId(), book_id: book.id, ...change, by, operation_id: operationId, at, version: 1 });
}

async function setField(
  tx: Transaction,
  book: Book,
  field: BookField,
  value: FieldValues[BookField],
  stamp: Stamp,
): Promise<Book> {
  switch (field) {
    case 'authors':
      return { ...book, authors: await contributors(tx, value as FieldValues['authors'], stamp) };
    case 'series':
      return { ...book, series: await memberships(tx, book, value as FieldValues['series'], stamp) };
    case 'isbn': {
      const { isbn10, isbn13, invalid } = parseIsbn(value as FieldValues['isbn']);
      return { ...book, isbn10, isbn13, isbn_invalid: invalid };
    }
    case 'asin':
      return { ...book, asin: (value as FieldValues['asin'])?.toUpperCase() ?? null };
    case 'year':
      return { ...book, published_year: value as FieldValues['year'] };
    case 'cover':
      return { ...book, cover_asset_id: value as FieldValues['cover'] };
    case 'chapters':
      return { ...book, chapter_list_id: value as FieldValues['chapters'] };
    case 'language':
      return { ...book, language: (value as FieldValues['language'])?.toLowerCase() ?? null };
    case 'title':
    case 'subtitle':
    case 'narrators':
    case 'publisher':
    case 'description':
    case 'genres':
    case 'tags':
    case 'edition':
      break;
  }
  return { ...book, [field]: value };
}

async function contributors(tx: Transaction, names: readonly string[], stamp: Stamp): Promise<Book['authors']> {
  const found: Book['authors'] = [];
  for (const name of names) {
    const { id, name: shown } = await findOrCreateAuthor(tx, name, stamp);
    if (!found.some((other) => other.id === id)) found.push({ id, name: shown, role: 'author' });
  }
  return found;
}

async function memberships(
  tx: Transaction,
  book: Book,
  wanted: FieldValues['series'],
  stamp: Stamp,
): Promise<Book['series']> {
  const authorIds = book.authors.map(({ id }) => id);
  const found: Book['series'] = [];
  for (const { name, sequence } of wanted) {
    const { id, name: shown } = await findOrCreateSeries(tx, name, authorIds, stamp);
    if (!found.some((other) => other.id === id)) found.push({ id, name: shown, sequence });
  }
  return found;
}
