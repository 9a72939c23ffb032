import { storedEntries } from '../store/store.ts';
import type { Np } from './np.ts';

/** A key and its value, in the form that `holdfast keys` prints too. */
export interface StoredKey {
  readonly key: string;
  /** JSON as it was parsed, text, or bytes as hexadecimal digits. */
  readonly value: unknown;
  readonly encoding: 'json' | 'text' | 'hex';
}

export async function listKeys(np: Np, prefix: string): Promise<readonly StoredKey[]> {
  const found: StoredKey[] = [];
  for await (const [key, stored] of storedEntries(np.store, prefix)) found.push({ key, ...shown(stored) });
  return found;
}

function shown(stored: string | Uint8Array): Omit<StoredKey, 'key'> {
  if (typeof stored !== 'string') return { value: Buffer.from(stored).toString('hex'), encoding: 'hex' };
  try {
    return { value: JSON.parse(stored), encoding: 'json' };
  } catch {
    return { value: stored, encoding: 'text' };
  }
}
