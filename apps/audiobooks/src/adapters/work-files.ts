import { copyFile, link, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { workFolder } from '../model/library-folders.ts';
import { inside, removeEmptyFolders } from './inside.ts';

/** Creates the folder for an operation's unfinished files. */
export async function makeWorkFolder(root: string, operationId: string): Promise<string> {
  const folder = inside(root, workFolder(operationId));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Everything worth keeping has been moved out by now. */
export async function removeWorkFolder(root: string, operationId: string): Promise<void> {
  const folder = workFolder(operationId);
  await rm(inside(root, folder), { recursive: true, force: true });
  await removeEmptyFolders(root, dirname(folder));
}

/** Links a file under a plain name, because ffmpeg lists cannot hold every name. */
export async function nameForFfmpeg(from: string, folder: string, name: string): Promise<string> {
  const to = join(folder, name);
  // An earlier attempt may have left this name behind. Copy where hard links are not supported.
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
