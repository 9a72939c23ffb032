import { copyFile, link, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { workFolder } from '../model/library-folders.ts';
import { inside, removeEmptyFolders } from './inside.ts';

/** The folder of an operation for what is not finished. */
export async function makeWorkFolder(root: string, operationId: string): Promise<string> {
  const folder = inside(root, workFolder(operationId));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** With everything in it: whatever was worth keeping has been moved out. */
export async function removeWorkFolder(root: string, operationId: string): Promise<void> {
  const folder = workFolder(operationId);
  await rm(inside(root, folder), { recursive: true, force: true });
  await removeEmptyFolders(root, dirname(folder));
}

/** A plain name for a file whose own name no list of ffmpeg could hold. */
export async function nameForFfmpeg(from: string, folder: string, name: string): Promise<string> {
  const to = join(folder, name);
  // A second name costs nothing; where there is none, a copy does, over whatever an earlier attempt left.
  await link(from, to).catch(async () => {
    await rm(to, { force: true });
    await link(from, to).catch(() => copyFile(from, to));
  });
  return to;
}

export async function writeWorkFile(folder: string, name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}
