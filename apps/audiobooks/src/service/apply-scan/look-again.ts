import type { Transaction } from '@holdfast/keyspace';
import type { Segment } from '../../model/segment.ts';
import { units } from '../../store/definitions.ts';

/**
 * A file was found in another library while its own was away. Should that come back as it was, its folder has to be read
 * nevertheless: what lies there is a copy now, which no book knows.
 */
export async function lookAgain(tx: Transaction, { library_id: library, file_path: path }: Segment): Promise<void> {
  if (library === null) return;
  const names = path.split('/').slice(0, -1);
  // The folder itself or, for a disc, one above it.
  for (let depth = names.length; depth >= 0; depth--) {
    const key = { library, unit: names.slice(0, depth).join('/') };
    await tx.update(units, key, (unit) => ({ ...unit, fingerprint: '' }));
  }
}
