import { createHash } from 'node:crypto';

import type { FileSignature } from '../model/scanned.ts';

/** Counted up when names or tags are understood in a new way, so that the next scan looks at everything again. */
const UNDERSTANDING = 1;

/** One short text for all files that decide about the books of a unit: their names and what they are. */
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
