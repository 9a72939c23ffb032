import { storedEntries } from '../store/store.ts';
import type { Np } from './np.ts';

export interface StoredKey {
  readonly key: string;
  /** Text as it is stored; raw bytes as hexadecimal digits. */
  readonly value: string;
}

/** `np keys`: the keyspace as it lies there. */
export async function* listKeys(np: Np, prefix: string): AsyncGenerator<StoredKey, void, undefined> {
  for await (const [key, value] of storedEntries(np.store, prefix)) {
    yield { key, value: typeof value === 'string' ? value : Buffer.from(value).toString('hex') };
  }
}
