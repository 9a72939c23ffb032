import { lstatSync, readdirSync, rmSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';

import { BLOB_FOLDER, blobPath, TEMPORARY_FOLDER } from './blobs.ts';

/** Looking after what codex itself keeps below a notebook. Nothing in here is a file of the user's. */

/** Hashes of staged content that nobody has asked for since that moment. */
export function oldBlobs(root: string, before: number): string[] {
  const folder = join(root, BLOB_FOLDER);
  return namesIn(folder)
    .flatMap((part) => namesIn(join(folder, part)))
    .filter((hash) => isOlder(join(root, blobPath(hash)), before));
}

export function removeBlob(root: string, hash: string, before: number): void {
  const path = join(root, blobPath(hash));
  if (isOlder(path, before)) unlinkSync(path);
}

export function removeOldTemporaries(root: string, before: number): void {
  const folder = join(root, TEMPORARY_FOLDER);
  for (const name of namesIn(folder))
    if (isOlder(join(folder, name), before)) rmSync(join(folder, name), { force: true });
}

/** For good. */
export function removeTrash(root: string, path: string): void {
  rmSync(join(root, path), { recursive: true, force: true });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isOlder(path: string, before: number): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && found.mtimeMs < before;
}
