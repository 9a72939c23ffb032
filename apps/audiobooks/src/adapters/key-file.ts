import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { createFileDurablySync } from '@holdfast/base';

/** Returns the secret, or undefined if there is no key file. */
export function readKeyFile(path: string): Uint8Array | undefined {
  try {
    const bytes = Buffer.from(readFileSync(path, 'utf8').trim(), 'hex');
    return bytes.byteLength === 32 ? new Uint8Array(bytes) : undefined;
  } catch {
    return undefined;
  }
}

/** Creates a key file that only its owner can read; never replaces one. */
export function makeKeyFile(path: string): Uint8Array {
  const secret = randomBytes(32);
  if (!createFileDurablySync(path, `${secret.toString('hex')}\n`)) throw new Error(`${path} exists but holds no key`);
  return new Uint8Array(secret);
}
