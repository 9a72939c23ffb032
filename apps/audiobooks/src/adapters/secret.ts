import { createHash, randomBytes } from 'node:crypto';

const PREFIX = 'hff_';
const FORM = /^hff_[\w-]{43}$/u;

/** 256 random bits, with a beginning by which secret scanners know what it is. */
export function newSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64url')}`;
}

/** What is kept in its place; undefined for what cannot be one. Looking it up takes the same time for every secret. */
export function hashOfSecret(secret: string): string | undefined {
  return FORM.test(secret) ? createHash('sha256').update(secret, 'utf8').digest('hex') : undefined;
}
