import type { Transaction } from '@holdfast/keyspace';
import type { Segment } from '../../model/segment.ts';
import { units } from '../../store/definitions.ts';

/**
 * Forces a rescan of a file's old folder after the file was found in another library. If the old library returns
 * unchanged, its file is now a copy that belongs to no book.
 */
export async function lookAgain(tx: Transaction, { library_id: library, file_path: path }: Segment): Promise<void> {
  if (library === null) return;
  const names = path.split('/').slice(0, -1);
  // The folder itself or, for a disc, an ancestor.
  for (let depth = names.length; depth >= 0; depth--) {
    const key = { library, unit: names.slice(0, depth).join('/') };
    await tx.update(units, key, (unit) => ({ ...unit, fingerprint: '' }));
  }
}
