import { closeSync, constants, openSync } from 'node:fs';

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Neither a link nor a pipe or a device that would wait for ever. */
const FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export interface OpenedFolder {
  readonly fd: number;
  /** Path of an entry of this folder for system calls. */
  readonly place: string;
}

/**
 * Opens a folder without following a link, and names it by its descriptor: who puts a link into its place afterwards
 * changes nothing about what is read and written through it. Systems without /proc get the same checks, but names.
 */
export function openFolder(place: string): OpenedFolder {
  const fd = openSync(place, FOLDER);
  return { fd, place: process.platform === 'linux' ? `/proc/self/fd/${fd}` : place };
}

/**
 * The folder of a path below another one, opened folder by folder from the one above it, with no link anywhere, and the
 * name in it. The caller closes it. The path has no empty parts, no `.` and no `..`; anything else is ENOENT.
 */
export function openFolderBeneath(
  root: string,
  path: string,
): { readonly folder: OpenedFolder; readonly name: string } {
  const parts = path.split('/');
  if (path.includes('\0') || parts.some((part) => part === '' || part === '.' || part === '..')) {
    throw Object.assign(new Error(`${JSON.stringify(path)} is no path below a folder`), { code: 'ENOENT' });
  }
  const name = parts.pop() ?? '';
  let folder = openFolder(root);
  for (const part of parts) {
    try {
      const next = openFolder(`${folder.place}/${part}`);
      closeSync(folder.fd);
      folder = next;
    } catch (error) {
      closeSync(folder.fd);
      throw error;
    }
  }
  return { folder, name };
}

/** Opens a file below a folder for reading; the caller closes the descriptor. */
export function openBeneath(root: string, path: string): number {
  const { folder, name } = openFolderBeneath(root, path);
  try {
    return openSync(`${folder.place}/${name}`, FILE);
  } finally {
    closeSync(folder.fd);
  }
}
