import { closeSync, fstatSync } from 'node:fs';

import { openBeneath, systemErrorCode } from '@holdfast/base';

export interface OpenedFile {
  /** Closed by whoever has it. */
  readonly fd: number;
  readonly size: number;
  /** Changes with the size, modification time or inode. */
  readonly version: string;
}

/** Which version of a file is there now; undefined as for opening it. */
export function versionInLibrary(root: string, path: string): string | undefined {
  const file = openInLibrary(root, path);
  if (file !== undefined) closeSync(file.fd);
  return file?.version;
}

/** A file of a library for reading; undefined when it is not there, is no file, or a link is on the way. */
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
