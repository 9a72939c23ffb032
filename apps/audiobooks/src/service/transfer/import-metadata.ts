import type { Reads, Transaction } from '@holdfast/keyspace';
import type { Book } from '../../model/book.ts';
import type { BookField } from '../../model/choices.ts';
import { type DumpEntry, parseDumpLine } from '../../model/dump.ts';
import { checkField, type FieldChanges, fieldValues } from '../../model/fields.ts';
import { normalizeText, parseIsbn } from '../../model/normalize.ts';
import type { Operation, OperationOptions } from '../../model/operation.ts';
import { findAuthor, writeBook } from '../../store/books.ts';
import { books } from '../../store/definitions.ts';
import { type Audiobooks, stampFor } from '../audiobooks.ts';
import { type Editor, setFields } from '../changes/change.ts';
import { runOperation } from '../operations/run-operation.ts';

export interface ImportRequest extends OperationOptions {
  readonly lines: AsyncIterable<string> | Iterable<string>;
  /** Recorded with the operation. */
  readonly source: string;
  /** True to also replace existing values; false to fill only empty fields. Locked fields never change. */
  readonly overwrite: boolean;
}

const LINES_PER_COMMIT = 200;

/**
 * Imports metadata from a file. A line applies to books with the same ISBN or ASIN; if there are none, to books with
 * the same author and title. A line that matches no book costs only one lookup, so files may have millions of lines.
 */
export function importMetadata(audiobooks: Audiobooks, request: ImportRequest): Promise<Operation> {
  const params = { source: request.source, overwrite: request.overwrite };
  const operation = { ...request, type: 'import', target: 'import', params, createdBy: request.by } as const;
  return runOperation(audiobooks, operation, async (context) => {
    const counts = { lines: 0, unreadable: 0, matched: 0, changed: 0 };
    const changed = new Set<string>();
    let batch: DumpEntry[] = [];
    const flush = async (): Promise<void> => {
      const entries = batch;
      batch = [];
      const editor = { ...stampFor(audiobooks), by: request.by, operationId: context.operationId };
      const touched = await audiobooks.store.transact((tx) => applyEntries(tx, entries, request, editor));
      counts.matched += touched.matched;
      for (const id of touched.changed) changed.add(id);
      context.progress(counts.lines, 0, 'lines');
      context.signal.throwIfAborted();
    };
    for await (const line of request.lines) {
      if (line.trim() === '') continue;
      counts.lines += 1;
      const entry = parseDumpLine(line);
      if (entry === undefined) counts.unreadable += 1;
      else batch.push(entry);
      if (batch.length >= LINES_PER_COMMIT) await flush();
    }
    await flush();
    counts.changed = changed.size;
    return { result: { ...counts }, undoable: changed.size > 0 };
  });
}

async function applyEntries(
  tx: Transaction,
  entries: readonly DumpEntry[],
  { overwrite }: ImportRequest,
  editor: Editor,
): Promise<{ readonly matched: number; readonly changed: readonly string[] }> {
  let matched = 0;
  const changed: string[] = [];
  for (const entry of entries) {
    for (const book of await booksFor(tx, entry)) {
      matched += 1;
      const changes = wantedChanges(book, entry.fields, overwrite);
      const sources = Object.fromEntries(Object.keys(changes).map((field) => [field, 'import' as const]));
      const after = await setFields(tx, book, changes, sources, editor);
      if (after === book) continue;
      await writeBook(tx, book, after, editor);
      changed.push(book.id);
    }
  }
  return { matched, changed };
}

async function booksFor(reads: Reads, { isbns, asin, fields }: DumpEntry): Promise<readonly Book[]> {
  const found = new Map<string, Book>();
  const add = (more: readonly Book[]): void => more.forEach((book) => found.set(book.id, book));
  for (const text of isbns) {
    const { isbn13 } = parseIsbn(text);
    if (isbn13 !== null) add(await reads.list(books.by.isbn13, { isbn13 }));
  }
  if (asin !== undefined) add(await reads.list(books.by.asin, { asin: asin.toUpperCase() }));
  const [name] = fields.authors ?? [];
  if (found.size === 0 && fields.title !== undefined && name !== undefined) {
    const author = await findAuthor(reads, name);
    const titled =
      author === undefined ? [] : await reads.list(books.by.title, { normalized_title: normalizeText(fields.title) });
    add(titled.filter((book) => book.author_id === author?.id));
  }
  return [...found.values()];
}

/** Skips edited and locked fields and invalid values. */
export function wantedChanges(book: Book, fields: FieldChanges, overwrite: boolean): FieldChanges {
  const current = fieldValues(book);
  const wanted: Record<string, unknown> = {};
  for (const field of Object.keys(fields) as BookField[]) {
    const value = current[field];
    const isEmpty = value === null || value === undefined || (Array.isArray(value) && value.length === 0);
    if (book.locks.includes(field) || book.provenance[field] === 'edit' || (!overwrite && !isEmpty)) continue;
    try {
      wanted[field] = checkField(field, fields[field]);
    } catch {
      continue;
    }
  }
  return wanted;
}
