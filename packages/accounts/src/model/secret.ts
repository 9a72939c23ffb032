import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { z } from 'zod';

import { moment } from './time.ts';

/**
 * Secrets that are shown once, such as `hf_3kTMd9…`. Each consists of a prefix for its kind, 256 random bits, and a
 * checksum that distinguishes typing errors from wrong secrets. Secret scanners can find them. They consist of letters
 * and digits only, so a double click selects the whole secret. Only the SHA-256 is stored; 256 random bits need no slow
 * hash.
 */

const prefixes = { session: 'hfs_', token: 'hf_', setup: 'hfo_', device: 'hfd_' } as const;
export type SecretKind = keyof typeof prefixes;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = BigInt(ALPHABET.length);
export const SECRET_BYTES = 32;
const SECRET_CHARACTERS = 43;
const CHECKSUM_CHARACTERS = 6;
const RECOGNISABLE_CHARACTERS = 4;

export function encodeSecret(kind: SecretKind, random: Uint8Array): string {
  if (random.byteLength !== SECRET_BYTES) throw new TypeError('A secret needs 32 random bytes');
  const body = prefixes[kind] + toBase62(BigInt(`0x${Buffer.from(random).toString('hex')}`), SECRET_CHARACTERS);
  return body + checksum(body);
}

/** Returns the kind of a complete secret; undefined for anything else. */
export function secretKind(secret: string): SecretKind | undefined {
  const match = /^(hf[sod]?_)[0-9A-Za-z]{49}$/.exec(secret);
  if (match === null) return undefined;
  const body = secret.slice(0, -CHECKSUM_CHARACTERS);
  if (checksum(body) !== secret.slice(-CHECKSUM_CHARACTERS)) return undefined;
  return (Object.keys(prefixes) as SecretKind[]).find((kind) => prefixes[kind] === match[1]);
}

export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('hex');
}

/** Returns the prefix and about 24 of the 256 random bits: enough to recognise a token, too few to guess it. */
export function recognisablePart(secret: string): string {
  return secret.slice(0, secret.indexOf('_') + 1 + RECOGNISABLE_CHARACTERS);
}

function checksum(body: string): string {
  return toBase62(BigInt(crc32(body)), CHECKSUM_CHARACTERS);
}

function toBase62(number: bigint, width: number): string {
  let rest = number;
  let text = '';
  for (let index = 0; index < width; index++) {
    text = (ALPHABET[Number(rest % BASE)] as string) + text;
    rest /= BASE;
  }
  return text;
}

/** Stored under `meta:auth:setup` until used. The person who uses the secret becomes the owner. */
export const setupLinkSchema = z.object({
  token_hash: z.hex().length(64),
  created_at: moment,
  expires_at: moment,
  version: z.literal(1),
});
