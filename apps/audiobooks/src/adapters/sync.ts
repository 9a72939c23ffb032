import { open } from 'node:fs/promises';

import { systemErrorCode } from '@holdfast/base';

/** Names in a folder survive a power cut only when the folder itself was written. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } catch (error) {
    // Some network file systems cannot; they have their own promises.
    if (!['EINVAL', 'ENOTSUP', 'EPERM'].includes(systemErrorCode(error) ?? '')) throw error;
  } finally {
    await handle.close();
  }
}

export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
