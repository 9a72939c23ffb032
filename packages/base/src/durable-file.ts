import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

import { systemErrorCode } from './system-error.ts';

const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
/** Flags that make opening fail if the name exists, so that nothing is written through an existing file or link. */
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/**
 * Replaces a file atomically and durably: readers see the old or the new content. Replaces a link at `path` instead of
 * following it, creates missing folders, and leaves no temporary file on error.
 */
export function writeFileDurablySync(path: string, content: string | Uint8Array, mode: number = PRIVATE_FILE): void {
  const folders = makeFolders(path);
  putInPlace(path, content, mode, renameSync);
  for (const folder of folders) syncFolderSync(folder);
}

/** Like `writeFileDurablySync`, but returns false and changes nothing if the file exists. */
export function createFileDurablySync(path: string, content: string | Uint8Array): boolean {
  const folders = makeFolders(path);
  try {
    putInPlace(path, content, PRIVATE_FILE, nameUnlessTaken);
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false;
    throw error;
  }
  for (const folder of folders) syncFolderSync(folder);
  return true;
}

/** Like `writeFileDurablySync`, without blocking the event loop. Writes an iterable piece by piece. */
export async function writeFileDurably(
  path: string,
  content: string | Uint8Array | Iterable<string>,
  mode: number = PRIVATE_FILE,
): Promise<void> {
  const folders = makeFolders(path);
  const unfinished = temporaryName(path);
  try {
    const handle = await open(unfinished, NEW_FILE, mode);
    try {
      await writeFile(handle, content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  for (const folder of folders) await syncFolder(folder);
}

/** Syncs a folder, so that created, renamed and removed names in it survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } catch (error) {
    if (!isUnsupported(error)) throw error;
  } finally {
    await handle.close();
  }
}

export function syncFolderSync(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } catch (error) {
    if (!isUnsupported(error)) throw error;
  } finally {
    closeSync(descriptor);
  }
}

export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function syncFileSync(path: string): void {
  const descriptor = openSync(path, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function putInPlace(
  path: string,
  content: string | Uint8Array,
  mode: number,
  place: (unfinished: string, path: string) => void,
): void {
  const unfinished = temporaryName(path);
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  try {
    const descriptor = openSync(unfinished, NEW_FILE, mode);
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    place(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/**
 * Creates a hard link, which fails if the name exists. If the file system has no hard links, checks that the name is
 * free, then renames.
 */
function nameUnlessTaken(unfinished: string, path: string): void {
  try {
    linkSync(unfinished, path);
    rmSync(unfinished);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'ENOSYS'].includes(systemErrorCode(error) ?? '')) throw error;
    if (existsSync(path)) throw Object.assign(new Error(`${path} exists`, { cause: error }), { code: 'EEXIST' });
    renameSync(unfinished, path);
  }
}

/** Creates missing folders. Returns the folders to sync: the file's own folder, and the parent of each new folder. */
function makeFolders(path: string): readonly string[] {
  const folders = [dirname(resolve(path))];
  const first = mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
  if (first === undefined) return folders;
  for (let folder = dirname(resolve(path)); folder.length >= resolve(first).length; folder = dirname(folder)) {
    folders.push(dirname(folder));
  }
  return folders;
}

function temporaryName(path: string): string {
  return `${path}.${randomBytes(6).toString('hex')}.unfinished`;
}

/** Some network file systems cannot sync folders. */
function isUnsupported(error: unknown): boolean {
  return ['EINVAL', 'ENOTSUP', 'EPERM'].includes(systemErrorCode(error) ?? '');
}
