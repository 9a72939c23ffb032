import type { Page, Reads, Transaction } from '@holdfast/keyspace';
import type { BookField } from '../model/choices.ts';
import type { HistoryEntry } from '../model/history.ts';
import { history } from './definitions.ts';

export function writeHistory(tx: Transaction, entry: HistoryEntry): Promise<void> {
  return tx.put(history, { book_id: entry.book_id, field: entry.field, id: entry.id }, entry);
}

export function historyOfOperation(reads: Reads, operationId: string): Promise<readonly HistoryEntry[]> {
  return reads.list(history.by.operation, { operation_id: operationId });
}

/** Newest first. */
export function historyOfBook(
  reads: Reads,
  bookId: string,
  field: BookField | undefined,
  page: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<HistoryEntry>> {
  const options = { reverse: true, limit: page.limit, cursor: page.cursor };
  if (field === undefined) return reads.page(history.by.book, { book_id: bookId }, options);
  return reads.page(history, { book_id: bookId, field }, options);
}
