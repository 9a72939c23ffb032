import { open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '@holdfast/base';

import { folderInside, inside } from './inside.ts';

/** Writes a new file durably; never overwrites. */
export async function keepPicture(root: string, path: string, bytes: Uint8Array): Promise<void> {
  const full = await folderInside(root, path);
  const handle = await open(full, 'wx', 0o644);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await syncFolder(dirname(full));
}

export async function dropPicture(root: string, path: string): Promise<void> {
  await rm(inside(root, path), { force: true });
}
