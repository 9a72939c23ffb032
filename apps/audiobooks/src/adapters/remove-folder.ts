import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { inside, removeEmptyFolders } from './inside.ts';

/** Removes one of our folders in a library with its contents. */
export async function removeFolder(root: string, folder: string): Promise<void> {
  await rm(inside(root, folder), { recursive: true, force: true });
  await removeEmptyFolders(root, dirname(folder));
}
