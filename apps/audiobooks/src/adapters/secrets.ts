import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createFileDurablySync } from '@holdfast/base';

/** Returns the secret, or undefined if there is no readable key file with a valid key. */
export function readKeyFile(path: string): Uint8Array | undefined {
  try {
    const bytes = Buffer.from(readFileSync(path, 'utf8').trim(), 'hex');
    return bytes.byteLength === 32 ? new Uint8Array(bytes) : undefined;
  } catch {
    return undefined;
  }
}

/** Creates a key file that only its owner can read; never replaces an existing file. */
export function makeKeyFile(path: string): Uint8Array {
  const secret = randomBytes(32);
  if (!createFileDurablySync(path, `${secret.toString('hex')}\n`))
    throw new Error(`${path} exists but contains no key`);
  return new Uint8Array(secret);
}

const PREFIX = 'hff_';
const FORM = /^hff_[\w-]{43}$/u;

/** Returns 256 random bits as text, with a prefix that secret scanners recognise. */
export function newSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64url')}`;
}

/**
 * Returns the hash under which a secret is stored, or undefined if the text cannot be a secret. Looking up a secret by
 * its hash prevents timing attacks.
 */
export function hashOfSecret(secret: string): string | undefined {
  return FORM.test(secret) ? createHash('sha256').update(secret, 'utf8').digest('hex') : undefined;
}
