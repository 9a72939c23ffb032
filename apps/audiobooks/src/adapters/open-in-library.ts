import { closeSync, fstatSync } from 'node:fs';

import { openBeneath, systemErrorCode } from '@holdfast/base';

export interface OpenedFile {
  /** The caller closes it. */
  readonly fd: number;
  readonly size: number;
  /** Changes with size, modification time or inode. */
  readonly version: string;
}

/** Returns the current version of a file; undefined in the same cases as `openInLibrary`. */
export function versionInLibrary(root: string, path: string): string | undefined {
  const file = openInLibrary(root, path);
  if (file !== undefined) closeSync(file.fd);
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
