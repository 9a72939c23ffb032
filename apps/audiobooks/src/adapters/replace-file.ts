import { constants } from 'node:fs';
import { chmod, copyFile, lstat, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

import { failpoint, syncFile, syncFolder } from '@holdfast/base';

/** Copies a file beside the original for editing. */
export async function makeCopy(path: string, unfinished: string): Promise<void> {
  await rm(unfinished, { force: true });
  await copyFile(path, unfinished, constants.COPYFILE_EXCL);
  await chmod(unfinished, (await lstat(path)).mode);
}

/** Replaces the original atomically. */
export async function takePlace(unfinished: string, path: string): Promise<void> {
  await syncFile(unfinished);
  failpoint('audiobooks.tags.synced');
  await rename(unfinished, path);
  failpoint('audiobooks.tags.renamed');
  await syncFolder(dirname(path));
}
