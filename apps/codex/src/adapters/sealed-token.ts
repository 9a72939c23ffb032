import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { createFileDurablySync } from '@holdfast/base';

import { codexErrors } from '../model/errors.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/**
 * Encrypts a token with AES-256-GCM. The key is in a file in the data home that only its owner can read, so a copy of
 * the database alone does not reveal the token. `place` is authenticated, so a row cannot use another row's token.
 */
export function sealToken(home: string, place: string, token: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', readKey(home) ?? makeKey(home), nonce).setAAD(Buffer.from(place));
  const text = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
}

export function openToken(home: string, place: string, sealed: string): string {
  const key = readKey(home);
  if (key === undefined) throw codexErrors.REMOTE_KEY_MISSING('The key file for tokens is missing');
  const bytes = Buffer.from(sealed, 'base64url');
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(place));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    return text.toString('utf8');
  } catch (error) {
    throw codexErrors.REMOTE_KEY_MISSING('The token cannot be decrypted with the key file', { cause: error });
  }
}

function keyPath(home: string): string {
  return join(home, 'keys', 'notebooks.key');
}

function readKey(home: string): Uint8Array | undefined {
  try {
    const bytes = Buffer.from(readFileSync(keyPath(home), 'utf8').trim(), 'hex');
    return bytes.length === KEY_BYTES ? bytes : undefined;
  } catch {
    return undefined;
  }
}

function makeKey(home: string): Uint8Array {
  const key = randomBytes(KEY_BYTES);
  if (createFileDurablySync(keyPath(home), `${key.toString('hex')}\n`)) return key;
  // Another process has just created the key file.
  const made = readKey(home);
  if (made === undefined) throw codexErrors.REMOTE_KEY_MISSING(`${keyPath(home)} contains no key`);
  return made;
}
