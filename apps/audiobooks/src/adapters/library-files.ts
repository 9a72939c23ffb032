import { constants } from 'node:fs';
import { chmod, copyFile, link, lstat, mkdir, realpath, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, normalize, resolve, sep } from 'node:path';
import { syncFolder, systemErrorCode } from '@holdfast/base';
import { audiobookErrors } from '../model/errors.ts';
import { workFolder } from '../model/path-names.ts';

/** Returns the absolute path of a library path; throws if it is outside the library. */
export function inside(root: string, path: string): string {
  const base = resolve(root);
  const full = resolve(base, path);
  const isBelow = full.startsWith(base.endsWith(sep) ? base : `${base}${sep}`);
  if (isBelow && !path.includes('\0') && normalize(path) === path.replace(/\/$/u, '')) return full;
  throw audiobookErrors.PATH_OUTSIDE(`${JSON.stringify(path)} is not a path inside the library.`);
}

/** Creates the folder for a file and checks the folder's real path, so that no link leads out of the library. */
export async function folderInside(root: string, path: string): Promise<string> {
  const full = inside(root, path);
  const base = await realpath(root);
  const missing: string[] = [];
  for (let folder = dirname(full); folder.length > resolve(root).length; folder = dirname(folder)) {
    const stats = await lstat(folder).catch(() => undefined);
    if (stats?.isSymbolicLink() === true) throw audiobookErrors.PATH_OUTSIDE(`${folder} is a link.`);
    if (stats !== undefined) break;
    missing.unshift(folder);
  }
  for (const folder of missing) {
    await mkdir(folder).catch(ignoring('EEXIST'));
    await syncFolder(dirname(folder));
  }
  const real = await realpath(dirname(full));
  if (real === base || real.startsWith(`${base}${sep}`)) return full;
  throw audiobookErrors.PATH_OUTSIDE(`${path} leads outside the library through a link.`);
}

/** Removes `folder` and its parents, up to the first that is not empty; never removes the root. */
export async function removeEmptyFolders(root: string, folder: string): Promise<void> {
  for (let at = folder; at !== '' && at !== '.'; at = dirname(at)) {
    const isGone = await rmdir(join(root, at)).then(
      () => true,
      (error: unknown) => systemErrorCode(error) === 'ENOENT',
    );
    if (!isGone) return;
  }
}

export function ignoring(...codes: readonly string[]): (error: unknown) => void {
  return (error) => {
    if (!codes.includes(systemErrorCode(error) ?? '')) throw error;
  };
}

/** Removes a folder that Holdfast created in a library, with its contents. */
export async function removeFolder(root: string, folder: string): Promise<void> {
  await rm(inside(root, folder), { recursive: true, force: true });
  await removeEmptyFolders(root, dirname(folder));
}

/** Creates the folder for an operation's unfinished files. */
export async function makeWorkFolder(root: string, operationId: string): Promise<string> {
  // Does not use `recursive`: with it, Node reports ENOENT instead of EROFS on a read-only file system.
  const folder = dirname(await folderInside(root, `${workFolder(operationId)}/file`));
  await chmod(folder, 0o700);
  return folder;
}

/** Removes the work folder with its contents. Call it after all finished files have been moved out of the folder. */
export async function removeWorkFolder(root: string, operationId: string): Promise<void> {
  const folder = workFolder(operationId);
  await rm(inside(root, folder), { recursive: true, force: true });
  await removeEmptyFolders(root, dirname(folder));
}

/** Links a file into `folder` under a simple name, because ffmpeg's list format does not support every file name. */
export async function nameForFfmpeg(from: string, folder: string, name: string): Promise<string> {
  const to = join(folder, name);
  // Linking fails if an earlier attempt left a file with this name, so that file is removed first. If the file system
  // has no hard links, `from` is copied.
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

/** Copies a file, so that the copy can be edited. */
export async function makeCopy(path: string, unfinished: string): Promise<void> {
  await rm(unfinished, { force: true });
  await copyFile(path, unfinished, constants.COPYFILE_EXCL);
  await chmod(unfinished, (await lstat(path)).mode);
}
