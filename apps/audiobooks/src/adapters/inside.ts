import { lstat, mkdir, realpath, rmdir } from 'node:fs/promises';
import { dirname, join, normalize, resolve, sep } from 'node:path';

import { syncFolder, systemErrorCode } from '@holdfast/base';

import { audiobookErrors } from '../model/errors.ts';

/** Returns the absolute path of a library path; throws if it leads outside. */
export function inside(root: string, path: string): string {
  const base = resolve(root);
  const full = resolve(base, path);
  const isBelow = full.startsWith(base.endsWith(sep) ? base : `${base}${sep}`);
  if (isBelow && !path.includes('\0') && normalize(path) === path.replace(/\/$/u, '')) return full;
  throw audiobookErrors.PATH_OUTSIDE(`${JSON.stringify(path)} is not a path inside the library.`);
}

/** Creates the folder for a file, then checks its real path, so that no link leads outside. */
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
  throw audiobookErrors.PATH_OUTSIDE(`${path} leads out of the library through a link.`);
}

/** Removes empty folders from the innermost up, except the root. */
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
