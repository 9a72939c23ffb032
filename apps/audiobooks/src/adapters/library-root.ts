import { closeSync, fstatSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openBeneath, systemErrorCode } from '@holdfast/base';
import { audiobookErrors } from '../model/errors.ts';

/** Returns the real path of a folder that will become a library; throws if the path is not a folder. */
export function libraryRoot(path: string): string {
  const root = resolve(path);
  if (path === '' || statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw audiobookErrors.LIBRARY_NOT_FOUND(`${JSON.stringify(path === '' ? path : root)} is not a folder.`, {
      hint: 'Give a folder that contains audiobooks.',
    });
  }
  return realpathSync.native(root);
}

/** Returns the real path of a folder, or undefined if it does not exist. */
export function realRoot(path: string): string | undefined {
  try {
    return libraryRoot(path);
  } catch {
    return undefined;
  }
}

/**
 * Returns whether a library path exists now. Links count as missing; paths that cannot be checked count as existing.
 */
export function existsIn(root: string, path: string): boolean {
  try {
    return lstatSync(join(root, path), { throwIfNoEntry: false })?.isSymbolicLink() === false;
  } catch (error) {
    return systemErrorCode(error) !== 'ENOTDIR';
  }
}

/**
 * Returns the identity of the root folder. Throws if the folder is unreadable, or if it is empty although the library
 * has books. In both cases the disk is probably not mounted, and the books must not be marked missing.
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
  if (entries === 0 && !mayBeEmpty) throw unavailable('is empty, although the library has books');
  return folderIdentity(root) ?? '';
}

/** Returns an identifier for the folder at a path. It changes when a disk is mounted there. */
export function folderIdentity(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}

export interface OpenedFile {
  /** The caller must close this file descriptor. */
  readonly fd: number;
  readonly size: number;
  /** Changes when size, modification time or inode change. */
  readonly version: string;
}

export function closeFile({ fd }: OpenedFile): void {
  closeSync(fd);
}

/** Returns the current version of a file; undefined in the same cases as `openInLibrary`. */
export function versionInLibrary(root: string, path: string): string | undefined {
  const file = openInLibrary(root, path);
  if (file !== undefined) closeFile(file);
  return file?.version;
}

/** Opens a library file; returns undefined if it is missing, not a file, or reached through a link. */
export function openInLibrary(root: string, path: string): OpenedFile | undefined {
  let fd: number;
  try {
    fd = openBeneath(root, path);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'EACCES' || code === 'ENXIO')
      return undefined;
    throw error;
  }
  const stats = fstatSync(fd, { bigint: true });
  if (!stats.isFile()) {
    closeSync(fd);
    return undefined;
  }
  return {
    fd,
    size: Number(stats.size),
    version: `${stats.ino.toString(36)}-${stats.size.toString(36)}-${stats.mtimeNs.toString(36)}`,
  };
}
