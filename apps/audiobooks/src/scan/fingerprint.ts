import { createHash } from 'node:crypto';

import type { FileSignature } from '../model/scanned.ts';

/** Incremented when parsing of names or tags changes, so that the next scan reads everything again. */
const UNDERSTANDING = 1;

/** Covers the names and signatures of all files that determine the books of a unit. */
export function fingerprintOf(
  files: readonly (readonly [path: string, signature: FileSignature | undefined])[],
): string {
  const hash = createHash('sha256').update(`${UNDERSTANDING}\n`);
  for (const [path, signature] of files) {
    const { device = '', inode = '', size = -1, mtimeNs = '' } = signature ?? {};
    hash.update(`${path}\0${device}:${inode}:${size}:${mtimeNs}\n`);
  }
  return hash.digest('base64url').slice(0, 32);
}
