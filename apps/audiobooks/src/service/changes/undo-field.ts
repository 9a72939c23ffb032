import type { Book } from '../../model/book.ts';
import { audiobookErrors } from '../../model/errors.ts';
import { fieldValues, sameValue } from '../../model/fields.ts';
import type { HistoryEntry } from '../../model/history.ts';
import { writeBook } from '../../store/books.ts';
import { history } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { resolveBook } from '../queries/resolve.ts';
import { setFields } from '../set-fields.ts';
import { changeAtOnce, type Changed } from './record-operation.ts';

export interface UndoFieldRequest {
  readonly book: string;
  /** Id of the history entry. */
  readonly entry: string;
  readonly by: string;
}

/** Reverts one change of a field if it is still the current one. */
export function undoField(audiobooks: Audiobooks, request: UndoFieldRequest): Promise<Changed<Book>> {
  const operation = { type: 'edit', params: { ...request }, createdBy: request.by } as const;
  return changeAtOnce(audiobooks, operation, async ({ tx, editor }) => {
    const before = await resolveBook(tx, request.book);
    const entry = entryOf(await tx.list(history, { book_id: before.id }), request.entry);
    if (!sameValue(fieldValues(before)[entry.field], entry.after)) {
      throw audiobookErrors.UNDO_CONFLICT(`The ${entry.field} of ${before.title} was changed again since.`);
    }
    const restored = await setFields(tx, before, { [entry.field]: entry.before }, { [entry.field]: 'undo' }, editor);
    const book = await writeBook(tx, before, restored, editor);
    return { value: book, result: { books: [book.id] } };
  });
}

function entryOf(entries: readonly HistoryEntry[], id: string): HistoryEntry {
  const entry = entries.find((known) => known.id === id);
  if (entry === undefined) throw audiobookErrors.HISTORY_NOT_FOUND(`There is no change ${id} of this book.`);
  return entry;
}
