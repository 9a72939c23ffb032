import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

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
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const secret = randomBytes(32);
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, `${secret.toString('hex')}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return new Uint8Array(secret);
}
