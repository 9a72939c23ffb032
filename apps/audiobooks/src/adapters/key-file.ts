import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { createFileDurablySync } from '@holdfast/base';

/** The secret in a key file; undefined when there is none. */
export function readKeyFile(path: string): Uint8Array | undefined {
  try {
    const bytes = Buffer.from(readFileSync(path, 'utf8').trim(), 'hex');
    return bytes.byteLength === 32 ? new Uint8Array(bytes) : undefined;
  } catch {
    return undefined;
  }
}

/** Makes one, readable by its owner only; an existing file is never replaced. */
export function makeKeyFile(path: string): Uint8Array {
  const secret = randomBytes(32);
  if (!createFileDurablySync(path, `${secret.toString('hex')}\n`)) throw new Error(`${path} exists but holds no key`);
  return new Uint8Array(secret);
}
