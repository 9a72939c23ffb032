import { rmSync } from 'node:fs';

import { identityOf, isAlive } from '@holdfast/base';

import { BLOB_FOLDER, blobPath, TEMPORARY_FOLDER } from './blobs.ts';
import { Tree } from './tree.ts';

/**
 * Cleans up the folders that codex keeps in a notebook. Never follows links, because a copied notebook may contain
 * some.
 */

/** Hashes of staged content that was not used since `before`. */
export function oldBlobs(root: string, before: number): string[] {
  return namesIn(root, BLOB_FOLDER)
    .flatMap((part) => namesIn(root, `${BLOB_FOLDER}/${part}`))
    .filter((hash) => isOlder(root, blobPath(hash), before));
}

export function removeBlob(root: string, hash: string, before: number): void {
  if (isOlder(root, blobPath(hash), before)) remove(root, blobPath(hash));
}

/** Removes temporary files of unfinished writes: old ones, and those of dead processes. */
export function removeOldTemporaries(root: string, before: number): void {
  for (const name of namesIn(root, TEMPORARY_FOLDER)) {
    const path = `${TEMPORARY_FOLDER}/${name}`;
    const [, pid] = /^stage-(\d+)-/.exec(name) ?? [];
    const isOrphaned = pid !== undefined && !isAlive(identityOf(Number(pid)));
    if (isOrphaned || isOlder(root, path, before)) remove(root, path);
  }
}

/** Deletes permanently. */
export function removeTrash(root: string, path: string): void {
  using tree = new Tree(root);
  const place = reached(() => tree.place(path));
  if (place !== undefined) rmSync(place, { recursive: true, force: true });
}

function remove(root: string, path: string): void {
  using tree = new Tree(root);
  tree.remove(path);
}

function namesIn(root: string, folder: string): readonly string[] {
  using tree = new Tree(root);
  return reached(() => tree.names(folder)) ?? [];
}

function isOlder(root: string, path: string, before: number): boolean {
  using tree = new Tree(root);
  const found = reached(() => tree.state(path));
  return found !== undefined && BigInt(found.mtime_ns) < BigInt(Math.floor(before)) * 1_000_000n;
}

/** Treats paths behind a link, or below something that is not a folder, as missing. */
function reached<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
