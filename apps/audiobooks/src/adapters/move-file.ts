import { constants } from 'node:fs';
import { copyFile, link, lstat, rename, rm, unlink, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { failpoint, syncFile, syncFolder, systemErrorCode } from '@holdfast/base';
import { audiobookErrors } from '../model/errors.ts';
import type { FileSignature } from '../model/scanned.ts';
import { openSource, sha256Of, signatureOf } from './file-source.ts';
import { ignoring } from './library-files.ts';

/** After `linked` and `copied`, the file still exists under its old name too. */
type PlaceKind = 'linked' | 'renamed' | 'copied';

const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/**
 * Hard-links a file to `to` without overwriting anything. If `to` is on another file system, makes a verified copy
 * instead. If the file system has no hard links, renames the file.
 */
export async function placeFile(from: string, to: string, unfinished: string): Promise<PlaceKind> {
  try {
    await link(from, to);
  } catch (error) {
    const code = systemErrorCode(error) ?? '';
    if (code === 'EEXIST') throw audiobookErrors.FILE_IN_THE_WAY(`${to} already exists.`, { cause: error });
    if (code === 'EXDEV') return copyVerified(from, to, unfinished);
    if (!NO_LINKS.has(code)) throw error;
    return renameCarefully(from, to);
  }
  failpoint('audiobooks.move.linked');
  await syncFolder(dirname(to));
  return 'linked';
}

/**
 * Moves a file without overwriting anything. If the file had to be copied to another file system, the original is kept.
 */
export async function moveFile(from: string, to: string, unfinished: string): Promise<void> {
  if ((await placeFile(from, to, unfinished)) === 'linked') await removeFile(from);
}

/** Replaces `to` with `from` in one rename, so that `to` always exists. Both must be on one file system. */
export async function replaceFile(from: string, to: string): Promise<void> {
  await rename(from, to);
  failpoint('audiobooks.move.replaced');
  await syncBoth(from, to);
}

/**
 * Renames a file on a file system without hard links. Overwrites a file that is created between the check and the
 * rename.
 */
async function renameCarefully(from: string, to: string): Promise<PlaceKind> {
  if (await exists(to)) throw audiobookErrors.FILE_IN_THE_WAY(`${to} already exists.`);
  await rename(from, to);
  await syncBoth(from, to);
  return 'renamed';
}

/**
 * Copies the file, syncs the copy, compares the content, and only then gives the copy its final name. The original
 * stays.
 */
async function copyVerified(from: string, to: string, unfinished: string): Promise<PlaceKind> {
  await rm(unfinished, { force: true });
  await copyFile(from, unfinished, constants.COPYFILE_EXCL);
  failpoint('audiobooks.move.copied');
  const { atime, mtime } = await lstat(from);
  await utimes(unfinished, atime, mtime);
  await syncFile(unfinished);
  if ((await hashAt(unfinished)) !== (await hashAt(from))) {
    await rm(unfinished, { force: true });
    throw audiobookErrors.FILE_CHANGED(`The copy of ${from} differs from the original.`);
  }
  await renameCarefully(unfinished, to);
  failpoint('audiobooks.move.copy_named');
  return 'copied';
}

/** Returns the hash of a file; undefined if the file does not exist. */
export async function hashAt(path: string): Promise<string | undefined> {
  const source = await openSource(path).catch(ignoring('ENOENT'));
  if (source === undefined) return undefined;
  try {
    return await sha256Of(source);
  } finally {
    await source.close();
  }
}

async function syncBoth(from: string, to: string): Promise<void> {
  await syncFolder(dirname(to));
  if (dirname(from) !== dirname(to)) await syncFolder(dirname(from));
}

export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Returns the signature of a file; undefined if the path does not exist or is not a file. */
export async function signatureIfThere(path: string): Promise<FileSignature | undefined> {
  const stats = await lstat(path, { bigint: true }).catch(ignoring('ENOENT', 'ENOTDIR'));
  return stats?.isFile() === true ? signatureOf(stats) : undefined;
}

export async function removeFile(path: string): Promise<void> {
  await unlink(path).catch(ignoring('ENOENT'));
  failpoint('audiobooks.move.unlinked');
  await syncFolder(dirname(path)).catch(ignoring('ENOENT'));
}
