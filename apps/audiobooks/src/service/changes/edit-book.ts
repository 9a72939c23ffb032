import type { Reads } from '@holdfast/keyspace';
import type { Book } from '../../model/book.ts';
import { BOOK_FIELDS, type BookField } from '../../model/choices.ts';
import { audiobookErrors } from '../../model/errors.ts';
import { checkField, type FieldChanges } from '../../model/fields.ts';
import { writeBook } from '../../store/books.ts';
import { works } from '../../store/definitions.ts';
import { type Audiobooks, stampFor } from '../audiobooks.ts';
import { resolveBook, resolveDeletedBook } from '../queries/resolve.ts';
import { changeAtOnce, type Changed, setFields } from './change.ts';

interface EditRequest {
  readonly book: string;
  readonly set?: Readonly<Record<string, unknown>>;
  /** Fields to lock against scans and imports. Edited fields are locked too, unless `keepOpen` is true. */
  readonly lock?: readonly string[];
  readonly unlock?: readonly string[];
  readonly keepOpen?: boolean;
  /** Makes the book an edition of this work; `null` creates a new work. */
  readonly work?: string | null;
  /** Refuses the edit if the book's revision differs. */
  readonly ifRevision?: number | undefined;
  readonly by: string;
}

export async function editBook(audiobooks: Audiobooks, request: EditRequest): Promise<Changed<Book>> {
  const set = request.set ?? {};
  const changes: FieldChanges = {};
  for (const [name, value] of Object.entries(set)) {
    const field = fieldNamed(name);
    Object.assign(changes, { [field]: checkField(field, value) });
  }
  const lock = (request.lock ?? []).map(fieldNamed);
  const unlock = new Set((request.unlock ?? []).map(fieldNamed));
  const operation = {
    type: 'edit',
    params: { book: request.book, fields: Object.keys(set) },
    createdBy: request.by,
  } as const;
  return changeAtOnce(audiobooks, operation, async ({ tx, editor }) => {
    const before = await resolveBook(tx, request.book);
    if (request.ifRevision !== undefined && request.ifRevision !== before.revision) {
      throw audiobookErrors.REVISION_STALE(`The book has revision ${before.revision}.`);
    }
    const sources = Object.fromEntries(Object.keys(changes).map((field) => [field, 'edit' as const]));
    const edited = await setFields(tx, before, changes, sources, editor);
    const touched = request.keepOpen === true ? [] : (Object.keys(changes) as BookField[]);
    const locks = new Set([...before.locks, ...touched, ...lock].filter((field) => !unlock.has(field as BookField)));
    const worked = await withWork(tx, edited, request.work);
    const book = await writeBook(tx, before, { ...worked, locks: [...locks].sort() }, editor);
    const result = { books: [book.id], locks: [{ book: book.id, before: before.locks, after: book.locks }] };
    return { value: book, result };
  });
}

async function withWork(reads: Reads, book: Book, work: string | null | undefined): Promise<Book> {
  if (work === undefined) return book;
  if (work !== null && (await reads.get(works, { id: work })) === undefined) {
    throw audiobookErrors.WORK_NOT_FOUND(`There is no work ${work}.`);
  }
  return { ...book, work_id: work, work_pinned: work !== null };
}

function fieldNamed(name: string): BookField {
  const field = BOOK_FIELDS.find((known) => known === name);
  if (field !== undefined) return field;
  throw audiobookErrors.FIELD_UNKNOWN(`A book has no field ${name}.`, { details: { fields: BOOK_FIELDS } });
}

/** Hides a book from all lists; files, progress and history stay. Scans never restore it; `restoreBook` does. */
export function deleteBook(audiobooks: Audiobooks, given: string): Promise<Book> {
  const stamp = stampFor(audiobooks);
  return audiobooks.store.transact(async (tx) => {
    const book = await resolveBook(tx, given);
    return writeBook(tx, book, { ...book, deleted_at: stamp.at }, stamp);
  });
}

export function restoreBook(audiobooks: Audiobooks, given: string): Promise<Book> {
  const stamp = stampFor(audiobooks);
  return audiobooks.store.transact(async (tx) => {
    const book = await resolveDeletedBook(tx, given);
    return writeBook(tx, book, { ...book, deleted_at: null }, stamp);
  });
}
