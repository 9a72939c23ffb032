import type { Transaction } from '@holdfast/keyspace';
import type { Book } from '../../model/book.ts';
import { audiobookErrors } from '../../model/errors.ts';
import { fieldValues, sameValue } from '../../model/fields.ts';
import type { Operation } from '../../model/operation.ts';
import type { Author, HistoryEntry, Series } from '../../model/records.ts';
import { historyOfOperation, readBook, writeBook } from '../../store/books.ts';
import { authors, history, operations, series } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { resolveBook } from '../queries/resolve.ts';
import { changeAtOnce, type Changed, type Editor, setFields } from './change.ts';
import { separateListening } from './merge-books.ts';

/**
 * Restores the field values from before the operation; the history contains these values. Fails without changes if a
 * field no longer has the value that the operation set, because undo would overwrite a later change.
 */
export async function undoChange(audiobooks: Audiobooks, done: Operation, by: string): Promise<Operation> {
  const request = { type: 'undo', params: { operation: done.id }, createdBy: by, undoes: done.id } as const;
  const { operation } = await changeAtOnce(audiobooks, request, async ({ tx, editor }) => {
    const current = await tx.get(operations, { id: done.id });
    if (current === undefined || current.undone_by !== null) {
      throw audiobookErrors.NOT_UNDOABLE(`Operation ${done.id} was already undone.`);
    }
    await restorePeople(tx, done, editor);
    await separateListening(tx, done);
    const entries = await historyOfOperation(tx, done.id);
    const touched = new Set([...entries.map((entry) => entry.book_id), ...lockChanges(done).map(({ book }) => book)]);
    for (const bookId of touched) {
      await undoBook(
        tx,
        bookId,
        entries.filter((entry) => entry.book_id === bookId),
        done,
        editor,
      );
    }
    for (const id of (done.result?.['deleted'] as readonly string[] | undefined) ?? []) {
      const book = await readBook(tx, id);
      if (book !== undefined) await writeBook(tx, book, { ...book, deleted_at: null }, editor);
    }
    await tx.put(operations, { id: done.id }, { ...current, undone_by: editor.operationId, undoable: false });
    return { value: undefined, result: { books: [...touched] } };
  });
  return operation;
}

async function undoBook(
  tx: Transaction,
  bookId: string,
  entries: readonly HistoryEntry[],
  done: Operation,
  editor: Editor,
): Promise<void> {
  const book = await readBook(tx, bookId);
  if (book === undefined) throw audiobookErrors.UNDO_CONFLICT(`The book ${bookId} no longer exists.`);
  const now = fieldValues(book);
  const changes: Record<string, unknown> = {};
  // Reverts the newest change first: if a field changed twice, its value before the first change must be restored last.
  for (const entry of [...entries].sort((left, right) => (left.id < right.id ? 1 : -1))) {
    if (!(entry.field in changes) && !sameValue(now[entry.field], entry.after)) {
      throw audiobookErrors.UNDO_CONFLICT(`The ${entry.field} of ${book.title} has changed since then.`);
    }
    changes[entry.field] = entry.before;
  }
  const sources = Object.fromEntries(Object.keys(changes).map((field) => [field, 'undo' as const]));
  const restored = await setFields(tx, book, changes, sources, editor);
  const locks = lockChanges(done).find((change) => change.book === bookId);
  const after: Book = locks === undefined ? restored : { ...restored, locks: [...locks.before] };
  await writeBook(tx, book, after, editor);
}

interface LockChange {
  readonly book: string;
  readonly before: readonly string[];
}

function lockChanges({ result }: Operation): readonly LockChange[] {
  return (result?.['locks'] as readonly LockChange[] | undefined) ?? [];
}

/** Restores merged authors and series. Runs first, so that books can refer to them again. */
async function restorePeople(tx: Transaction, { result }: Operation, editor: Editor): Promise<void> {
  const people = result?.['authors'] as { kept: Author; removed: readonly Author[] } | undefined;
  if (people !== undefined) {
    for (const author of [...people.removed, people.kept]) await tx.put(authors, { id: author.id }, author);
  }
  const merged = result?.['series_merged'] as { kept: Series; removed: readonly Series[] } | undefined;
  if (merged !== undefined) {
    for (const entry of [...merged.removed, merged.kept]) await tx.put(series, { id: entry.id }, entry);
  }
  const moved = (result?.['series'] as readonly { id: string; author_id: string }[] | undefined) ?? [];
  for (const { id, author_id: author } of moved) {
    await tx.update(series, { id }, (entry) => ({ ...entry, author_id: author, updated_at: editor.at }));
  }
}

interface UndoFieldRequest {
  readonly book: string;
  /** Id of the history entry. */
  readonly entry: string;
  readonly by: string;
}

/** Reverts one change to a field, if no later change has replaced it. */
export function undoField(audiobooks: Audiobooks, request: UndoFieldRequest): Promise<Changed<Book>> {
  const operation = { type: 'edit', params: { ...request }, createdBy: request.by } as const;
  return changeAtOnce(audiobooks, operation, async ({ tx, editor }) => {
    const before = await resolveBook(tx, request.book);
    const entry = entryOf(await tx.list(history, { book_id: before.id }), request.entry);
    if (!sameValue(fieldValues(before)[entry.field], entry.after)) {
      throw audiobookErrors.UNDO_CONFLICT(`The ${entry.field} of ${before.title} has changed since then.`);
    }
    const restored = await setFields(tx, before, { [entry.field]: entry.before }, { [entry.field]: 'undo' }, editor);
    const book = await writeBook(tx, before, restored, editor);
    return { value: book, result: { books: [book.id] } };
  });
}

function entryOf(entries: readonly HistoryEntry[], id: string): HistoryEntry {
  const entry = entries.find((known) => known.id === id);
  if (entry === undefined) throw audiobookErrors.HISTORY_NOT_FOUND(`This book has no change ${id}.`);
  return entry;
}
