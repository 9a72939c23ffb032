import type { Transaction } from '@holdfast/keyspace';
import type { DurationMap } from '../model/timeline.ts';
import { books, durationMaps } from './definitions.ts';

/**
 * What a report needs of a book. Reports are what a server does most, and a book with its timeline is the largest thing
 * that they touch: as long as the book is stored as it was, nothing of it is read but the book, and nothing taken apart.
 */
export interface ListenedBook {
  readonly library_id: string | null;
  /** Undefined for a book that has no files. */
  readonly map: DurationMap | undefined;
}

const REMEMBERED_MAX = 1_000;
const remembered = new Map<string, { readonly stored: string; readonly book: ListenedBook }>();

export async function listenedBook(tx: Transaction, id: string): Promise<ListenedBook | undefined> {
  const stored = await tx.readKey(books.template.encode({ id }));
  if (typeof stored !== 'string') return undefined;
  const known = remembered.get(id);
  // Whatever changes the timeline changes the generation and the revision in this text, too.
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
