import type { Transaction } from '@holdfast/keyspace';
import type { Author } from '../../model/author.ts';
import type { Book } from '../../model/book.ts';
import { fieldValues } from '../../model/fields.ts';
import { normalizeName } from '../../model/normalize.ts';
import { writeBook } from '../../store/books.ts';
import { authors, books, series, works } from '../../store/definitions.ts';
import { writeHistory } from '../../store/history.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { resolveAuthor } from '../queries/resolve.ts';
import type { Editor } from '../set-fields.ts';
import { changeAtOnce, type Changed } from './record-operation.ts';

export interface MergeAuthorsRequest {
  readonly keep: string;
  readonly others: readonly string[];
  readonly by: string;
}

/** Merges authors: moves their books, series and works, and keeps the other names as aliases. */
export function mergeAuthors(audiobooks: Audiobooks, request: MergeAuthorsRequest): Promise<Changed<Author>> {
  const operation = { type: 'edit', params: { ...request }, createdBy: request.by } as const;
  return changeAtOnce(audiobooks, operation, async ({ tx, editor }) => {
    const keep = await resolveAuthor(tx, request.keep);
    const others: Author[] = [];
    for (const given of request.others) {
      const other = await resolveAuthor(tx, given);
      if (other.id !== keep.id) others.push(other);
    }
    const kept: Author = { ...keep, aliases: joinedNames(keep, others), updated_at: editor.at };
    await tx.put(authors, { id: kept.id }, kept);
    const moved: string[] = [];
    const movedSeries: { id: string; author_id: string }[] = [];
    for (const other of others) {
      for (const entry of await tx.list(series.by.author, { author_id: other.id })) {
        await tx.put(series, { id: entry.id }, { ...entry, author_id: kept.id, updated_at: editor.at });
        movedSeries.push({ id: entry.id, author_id: other.id });
      }
      for (const book of await tx.list(books.by.author, { author: other.id })) {
        await moveBook(tx, book, other, kept, editor);
        moved.push(book.id);
      }
      await tx.delete(authors, { id: other.id });
    }
    const result = { books: moved, authors: { kept: keep, removed: others }, series: movedSeries };
    return { value: kept, result };
  });
}

async function moveBook(tx: Transaction, book: Book, from: Author, to: Author, editor: Editor): Promise<void> {
  const replaced = book.authors.map((author) =>
    author.id === from.id ? { ...author, id: to.id, name: to.name } : author,
  );
  const authorsNow = replaced.filter((author, index) => replaced.findIndex(({ id }) => id === author.id) === index);
  // Move the work with its author, to keep its editions together.
  if (book.work_id !== null && book.author_id === from.id) {
    await tx.update(works, { id: book.work_id }, (work) =>
      work.author_id === from.id ? { ...work, author_id: to.id, updated_at: editor.at } : work,
    );
  }
  const after = await writeBook(tx, book, { ...book, authors: authorsNow }, editor);
  await writeHistory(tx, {
    id: editor.newId(),
    book_id: book.id,
    field: 'authors',
    before: fieldValues(book).authors,
    after: fieldValues(after).authors,
    source: 'merge',
    by: editor.by,
    operation_id: editor.operationId,
    at: editor.at,
    version: 1,
  });
}

function joinedNames(keep: Author, others: readonly Author[]): string[] {
  const names = [...keep.aliases, ...others.flatMap((other) => [other.name, ...other.aliases])];
  const seen = new Set([keep.normalized_name]);
  return names.filter((name) => {
    const normalized = normalizeName(name);
    if (seen.has(normalized)) return false;
    seen.add(normalized);
    return true;
  });
}
