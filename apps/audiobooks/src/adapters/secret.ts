import { createHash, randomBytes } from 'node:crypto';

const PREFIX = 'hff_';
const FORM = /^hff_[\w-]{43}$/u;

/** 256 random bits with a prefix that secret scanners recognise. */
export function newSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64url')}`;
}

/**
 * Returns the stored form of a secret, or undefined if the text cannot be one. Looking up the hash prevents timing
 * attacks.
 */
export function hashOfSecret(secret: string): string | undefined {
  return FORM.test(secret) ? createHash('sha256').update(secret, 'utf8').digest('hex') : undefined;
}
