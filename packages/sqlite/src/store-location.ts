import { chmodSync, closeSync, existsSync, lstatSync, mkdirSync, openSync, statSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolderSync } from '@holdfast/base';

import { storeErrors, toStoreError } from './errors.ts';

/**
 * Rules for the location of a database: a local disk, a folder with mode 0700 and a file created with mode 0600 (SQLite
 * gives `-wal` and `-shm` the mode of the main file).
 */

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

/** Magic numbers of file systems with unreliable locks, from statfs(2) and linux/magic.h. */
const networkFileSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9P'],
  [0x5346414f, 'AFS'],
  [0x73757245, 'Coda'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
]);

/** Returns the type of a file system. Tests replace it, because they cannot mount NFS. */
export type FileSystemType = (folder: string) => number;

export function prepareLocation(path: string, create: boolean, fileSystemType: FileSystemType = typeOf): void {
  const folder = dirname(path);
  if (!existsSync(path)) {
    if (!create) throw storeErrors.STORE_NOT_FOUND(`There is no database at ${path}`);
    makeFolder(folder);
    try {
      createPrivateFile(path);
      syncFolderSync(folder);
    } catch (error) {
      throw toStoreError(error, path);
    }
  }
  if (!statSync(path).isFile()) throw storeErrors.STORE_PERMISSION(`${path} is not a file`);
  refuseNetworkFileSystem(folder, fileSystemType);
  refuseSharedFolder(folder);
  for (const file of [path, `${path}-wal`, `${path}-shm`]) tighten(file);
}

export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  } catch (error) {
    // Node reports ENOENT if it may not create a parent folder on a read-only file system.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw storeErrors.STORE_PERMISSION(`${folder} cannot be created`, { cause: error });
    }
    throw toStoreError(error, folder);
  }
}

/** Identifies a file, so that its replacement at the same path is noticed. */
export function fileIdentity(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev}:${ino}`;
}

function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', PRIVATE_FILE));
  } catch (error) {
    // Ignores the error if another process has created the file in the meantime.
    if (!existsSync(path)) throw error;
  }
}

/** Does not change the mode of a link's target, because other programs may need it. */
function tighten(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isSymbolicLink() || (found.mode & 0o077) === 0) return;
  const isOurs = process.getuid === undefined || found.uid === process.getuid();
  if (!isOurs) return;
  try {
    chmodSync(path, PRIVATE_FILE);
  } catch (error) {
    throw toStoreError(error, path);
  }
}

/** Rejects a folder where every user could replace the database. Sticky folders such as /tmp are allowed. */
function refuseSharedFolder(folder: string): void {
  const { mode } = statSync(folder);
  if ((mode & 0o002) === 0 || (mode & 0o1000) !== 0) return;
  throw storeErrors.STORE_PERMISSION(`Every user of this machine can write to ${folder}`, {
    hint: `Restrict access with: chmod 700 ${folder}`,
  });
}

function refuseNetworkFileSystem(folder: string, fileSystemType: FileSystemType): void {
  const name = networkFileSystems.get(fileSystemType(folder));
  if (name === undefined) return;
  throw storeErrors.NETWORK_FILE_SYSTEM(`${folder} is on a network file system (${name})`);
}

function typeOf(folder: string): number {
  return statfsSync(folder).type;
}
