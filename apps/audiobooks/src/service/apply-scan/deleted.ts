import type { Reads } from '@holdfast/keyspace';
import type { Book } from '../../model/book.ts';
import { libraries } from '../../store/definitions.ts';

/**
 * Returns since when a person has deleted this book; only a person restores it. Ignores books hidden with their
 * library, which return when their files appear in another one.
 */
export async function deletedSince(reads: Reads, { deleted_at: since, library_id: id }: Book): Promise<string | null> {
  if (since === null || id === null) return since;
  const library = await reads.get(libraries, { id });
  return library?.removed_at === since ? null : since;
}
