import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { inside, removeEmptyFolders } from './inside.ts';

/** A folder of ours in a library, with everything in it. */
export async function removeFolder(root: string, folder: string): Promise<void> {
  await rm(inside(root, folder), { recursive: true, force: true });
  await removeEmptyFolders(root, dirname(folder));
}
