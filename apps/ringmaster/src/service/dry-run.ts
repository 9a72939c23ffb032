import type { Tx } from '../store/open.ts';
import type { Ringmaster } from './ringmaster.ts';

class DryRunEnds<T> extends Error {
  readonly result: T;

  constructor(result: T) {
    super('a dry run changes nothing');
    this.result = result;
  }
}

/** Runs a write. In a dry run, rolls it back and still returns its result. */
export async function writeOrPreview<T>(
  rm: Ringmaster,
  { note, isDryRun }: { readonly note: string; readonly isDryRun: boolean },
  body: (tx: Tx, split: () => void) => T,
): Promise<T> {
  try {
    return await rm.store.write(note, (tx, split) => {
      const result = body(tx, split);
      if (isDryRun) throw new DryRunEnds(result);
      return result;
    });
  } catch (error) {
    if (error instanceof DryRunEnds) return error.result as T;
    throw error;
  }
}
