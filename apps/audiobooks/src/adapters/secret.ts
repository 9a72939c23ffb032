import { createHash, randomBytes } from 'node:crypto';

const PREFIX = 'hff_';
const FORM = /^hff_[\w-]{43}$/u;

/** 256 random bits, with a beginning by which secret scanners know what it is. */
export function newSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64url')}`;
}

/**
 * The stored form of a secret; undefined if the text cannot be one. Lookups by hash take the same time for all secrets.
 */
export function hashOfSecret(secret: string): string | undefined {
  return FORM.test(secret) ? createHash('sha256').update(secret, 'utf8').digest('hex') : undefined;
}
