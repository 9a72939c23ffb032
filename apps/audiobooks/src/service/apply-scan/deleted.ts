import type { Reads } from '@holdfast/keyspace';
import type { Book } from '../../model/book.ts';
import { libraries } from '../../store/definitions.ts';

/**
 * Since when somebody wants this book off the lists, which only somebody takes back. One that left them with its library
 * is not meant: when its files turn up in another library, it is there again.
 */
export async function deletedSince(reads: Reads, { deleted_at: since, library_id: id }: Book): Promise<string | null> {
  if (since === null || id === null) return since;
  const library = await reads.get(libraries, { id });
  return library?.removed_at === since ? null : since;
}
