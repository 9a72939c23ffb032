import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { systemErrorCode } from '@holdfast/base';
import { audiobookErrors } from '../model/errors.ts';

/** The real path of a folder that is to be a library. */
export function libraryRoot(path: string): string {
  const root = resolve(path);
  if (path === '' || statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw audiobookErrors.LIBRARY_NOT_FOUND(`${JSON.stringify(path === '' ? path : root)} is not a folder.`, {
      hint: 'Name a folder with audiobooks in it.',
    });
  }
  return realpathSync.native(root);
}

/** The real path of an existing folder. */
export function realRoot(path: string): string | undefined {
  try {
    return libraryRoot(path);
  } catch {
    return undefined;
  }
}

/** Whether there is something at a path of a library now. A link is nothing; what cannot be looked at is not gone. */
export function existsIn(root: string, path: string): boolean {
  try {
    return lstatSync(join(root, path), { throwIfNoEntry: false })?.isSymbolicLink() === false;
  } catch (error) {
    return systemErrorCode(error) !== 'ENOTDIR';
  }
}

/**
 * Which folder the root is at present. Refused if it cannot be read, or is empty where there ought to be something: that
 * is a disk which is not mounted, and no reason to miss what lies on it.
 */
export function presentRoot(root: string, mayBeEmpty: boolean): string {
  const unavailable = (message: string, cause?: unknown): Error =>
    audiobookErrors.LIBRARY_UNAVAILABLE(`${root} ${message}.`, { cause });
  let entries: number;
  try {
    entries = readdirSync(root).length;
  } catch (error) {
    throw unavailable(`cannot be read: ${(error as Error).message}`, error);
  }
  if (entries === 0 && !mayBeEmpty) throw unavailable('is empty, but books are known to be in it');
  return folderIdentity(root) ?? '';
}

/** Which folder is at a path: a disk that is mounted over it makes it another one. */
export function folderIdentity(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}
