import type { Transaction } from '@holdfast/keyspace';
import type { Book } from '../../model/book.ts';
import { fieldValues } from '../../model/fields.ts';
import { nameSortKey, normalizeName, normalizeText } from '../../model/normalize.ts';
import type { Author, Series } from '../../model/records.ts';
import { writeBook } from '../../store/books.ts';
import { authors, books, series, works } from '../../store/definitions.ts';
import { type Audiobooks, stampFor } from '../audiobooks.ts';
import { resolveAuthor, resolveSeries } from '../queries/resolve.ts';
import { changeAtOnce, type Changed, type Editor, recordFieldChange } from './change.ts';

interface EditAuthorRequest {
  readonly author: string;
  /** New name; the old one becomes an alias. */
  readonly name?: string | undefined;
  readonly addAliases?: readonly string[];
  readonly removeAliases?: readonly string[];
}

export function editAuthor(audiobooks: Audiobooks, request: EditAuthorRequest): Promise<Author> {
  const stamp = stampFor(audiobooks);
  return audiobooks.store.transact(async (tx) => {
    const before = await resolveAuthor(tx, request.author);
    const name = request.name?.trim() ?? before.name;
    const isRenamed = name !== before.name;
    const removed = new Set((request.removeAliases ?? []).map(normalizeName));
    const added = [...(request.addAliases ?? []), ...(isRenamed ? [before.name] : [])];
    const aliases = [...new Set([...before.aliases, ...added])].filter(
      (alias) => !removed.has(normalizeName(alias)) && normalizeName(alias) !== normalizeName(name),
    );
    const after: Author = {
      ...before,
      name,
      normalized_name: normalizeName(name),
      sort_name: nameSortKey(name),
      aliases,
      updated_at: stamp.at,
    };
    await tx.put(authors, { id: after.id }, after);
    if (!isRenamed) return after;
    for (const book of await tx.list(books.by.author, { author: after.id })) {
      const renamed = book.authors.map((author) => (author.id === after.id ? { ...author, name } : author));
      await writeBook(tx, book, { ...book, authors: renamed }, stamp);
    }
    return after;
  });
}

interface MergeRequest {
  readonly keep: string;
  readonly others: readonly string[];
  readonly by: string;
}

/** Merges authors: moves their books, series and works, and keeps the other names as aliases. */
export function mergeAuthors(audiobooks: Audiobooks, request: MergeRequest): Promise<Changed<Author>> {
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
  // Moves the work to the new author together with the book, so that the editions of the work stay together.
  if (book.work_id !== null && book.author_id === from.id) {
    await tx.update(works, { id: book.work_id }, (work) =>
      work.author_id === from.id ? { ...work, author_id: to.id, updated_at: editor.at } : work,
    );
  }
  const after = await writeBook(tx, book, { ...book, authors: authorsNow }, editor);
  const [before, now] = [fieldValues(book).authors, fieldValues(after).authors];
  await recordFieldChange(tx, { book, field: 'authors', before, after: now, source: 'merge' }, editor);
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

interface MergeRequest {
  readonly keep: string;
  readonly others: readonly string[];
  readonly by: string;
}

/** Merges series; the old names remain as aliases. */
export function mergeSeries(audiobooks: Audiobooks, request: MergeRequest): Promise<Changed<Series>> {
  const operation = { type: 'edit', params: { ...request }, createdBy: request.by } as const;
  return changeAtOnce(audiobooks, operation, async ({ tx, editor }) => {
    const keep = await resolveSeries(tx, request.keep);
    const others: Series[] = [];
    for (const given of request.others) {
      const other = await resolveSeries(tx, given);
      if (other.id !== keep.id) others.push(other);
    }
    const names = [...keep.aliases, ...others.flatMap((other) => [other.name, ...other.aliases])];
    const aliases = names.filter((name) => normalizeText(name) !== keep.normalized_name);
    const kept: Series = { ...keep, aliases: [...new Set(aliases)], updated_at: editor.at };
    await tx.put(series, { id: kept.id }, kept);
    const moved: string[] = [];
    for (const other of others) {
      for (const book of await tx.list(books.by.series, { series: other.id })) {
        const replaced = book.series.map((entry) =>
          entry.id === other.id ? { ...entry, id: kept.id, name: kept.name } : entry,
        );
        const distinct = replaced.filter((entry, index) => replaced.findIndex(({ id }) => id === entry.id) === index);
        const after = await writeBook(tx, book, { ...book, series: distinct }, editor);
        const [before, now] = [fieldValues(book).series, fieldValues(after).series];
        await recordFieldChange(tx, { book, field: 'series', before, after: now, source: 'merge' }, editor);
        moved.push(book.id);
      }
      await tx.delete(series, { id: other.id });
    }
    return { value: kept, result: { books: moved, series_merged: { kept: keep, removed: others } } };
  });
}
