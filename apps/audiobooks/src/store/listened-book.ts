import type { Transaction } from '@holdfast/keyspace';
import type { DurationMap } from '../model/timeline.ts';
import { books, durationMaps } from './definitions.ts';

/**
 * What a report needs of a book. Reports are what a server does most, and a book with its timeline is the largest thing
 * that they touch: of the book only two fields are looked at, and a timeline, which never changes, is taken apart once.
 */
export interface ListenedBook {
  readonly library_id: string | null;
  /** Undefined for a book that has no files. */
  readonly map: DurationMap | undefined;
}

const REMEMBERED_MAX = 1_000;
const remembered = new Map<string, { readonly stored: unknown; readonly map: DurationMap }>();

export async function listenedBook(transaction: Transaction, id: string): Promise<ListenedBook | undefined> {
  const stored = await transaction.readKey(books.template.encode({ id }));
  if (typeof stored !== 'string') return undefined;
  const { library_id: library = null, generation = 0 } = JSON.parse(stored) as {
    readonly library_id?: string | null;
    readonly generation?: number;
  };
  const map = generation === 0 ? undefined : await mapOf(transaction, id, generation);
  return { library_id: library, map };
}

async function mapOf(transaction: Transaction, book: string, generation: number): Promise<DurationMap | undefined> {
  const key = durationMaps.template.encode({ book_id: book, generation });
  const stored = await transaction.readKey(key);
  if (stored === undefined) return undefined;
  const known = remembered.get(key);
  // The text is compared, so another database with the same key is no danger.
  if (known?.stored === stored) return known.map;
  const map = durationMaps.codec.decode(stored, key);
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  remembered.set(key, { stored, map });
  return map;
}
