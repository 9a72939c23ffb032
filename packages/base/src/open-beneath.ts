import { closeSync, constants, existsSync, openSync } from 'node:fs';

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Rejects links, and does not block on pipes or devices. */
const FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const hasDescriptorPaths = existsSync('/proc/self/fd');

export interface OpenedFolder {
  readonly fd: number;
  /** Path of this folder for system calls: its descriptor below /proc if available, otherwise the given path. */
  readonly place: string;
}

/**
 * Opens a folder without following links. Addresses it by its descriptor, so that replacing the folder with a link
 * later has no effect. On systems without /proc, the same checks apply to the path.
 */
export function openFolder(place: string): OpenedFolder {
  const fd = openSync(place, FOLDER);
  return { fd, place: hasDescriptorPaths ? `/proc/self/fd/${fd}` : place };
}

/**
 * Opens the folder that contains a path below `root`, one level at a time, without following links. Returns this
 * folder, which the caller closes, and the last name of the path. Throws ENOENT for empty parts, `.` and `..`.
 */
export function openFolderBeneath(
  root: string,
  path: string,
): { readonly folder: OpenedFolder; readonly name: string } {
  const parts = path.split('/');
  if (path.includes('\0') || parts.some((part) => part === '' || part === '.' || part === '..')) {
    throw Object.assign(new Error(`${JSON.stringify(path)} is not a path inside a folder`), { code: 'ENOENT' });
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
