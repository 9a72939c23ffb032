import type { Transaction } from '@holdfast/keyspace';
import type { DurationMap } from '../model/timeline.ts';
import { books, durationMaps } from './definitions.ts';

/**
 * The fields of a book that a report needs. Reports are the most frequent request, so this caches the parsed timeline
 * while the stored book is unchanged.
 */
export interface ListenedBook {
  readonly library_id: string | null;
  /** Undefined for a book without files. */
  readonly map: DurationMap | undefined;
}

const REMEMBERED_MAX = 1_000;
const remembered = new Map<string, { readonly stored: string; readonly book: ListenedBook }>();

export async function listenedBook(tx: Transaction, id: string): Promise<ListenedBook | undefined> {
  const stored = await tx.readKey(books.template.encode({ id }));
  if (typeof stored !== 'string') return undefined;
  const known = remembered.get(id);
  // Every timeline change also changes generation and revision in this text.
  if (known?.stored === stored) return known.book;
  const { library_id: library = null, generation = 0 } = JSON.parse(stored) as {
    readonly library_id?: string | null;
    readonly generation?: number;
  };
  const map = generation === 0 ? undefined : await tx.get(durationMaps, { book_id: id, generation });
  const book = { library_id: library, map };
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  remembered.set(id, { stored, book });
  return book;
}
