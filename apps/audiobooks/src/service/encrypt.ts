import { makeKeyFile, readKeyFile } from '../adapters/key-file.ts';
import type { SealableName } from '../store/encryption/sealer.ts';
import { turnOnEncryption } from '../store/encryption/turn-on.ts';
import type { Audiobooks } from './audiobooks.ts';

/** Encrypts fields in place, creating the key file if it is missing. Returns the number of encrypted values. */
export function encryptFields({ store }: Audiobooks, keyFile: string, names: readonly SealableName[]): Promise<number> {
  return turnOnEncryption(store.engine, readKeyFile(keyFile) ?? makeKeyFile(keyFile), names);
}
