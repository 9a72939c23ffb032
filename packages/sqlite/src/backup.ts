import { createHash, randomBytes } from 'node:crypto';
import { closeSync, createReadStream, existsSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

import {
  createFileDurablySync,
  failpoint,
  syncFileSync,
  syncFolderSync,
  systemClock,
  toTimestamp,
} from '@holdfast/base';

import type { Database } from './database.ts';
import { DatabaseSync, backup as copyPages } from './driver.ts';
import { isDamage, storeErrors, toStoreError } from './errors.ts';
import { type DatabaseKind, detectKind } from './layout.ts';
import { makeFolder } from './store-location.ts';

/**
 * An online backup: one self-contained file and a manifest of its content. The copy comes from a snapshot, so it has
 * the state of exactly one revision. Creating the manifest reserves the name, so only one of several backups gets it.
 * The file gets its final name last, so an interrupted backup never looks complete.
 */

export interface BackupManifest {
  readonly format: 1;
  readonly database: string;
  readonly kind: DatabaseKind;
  readonly revision: number;
  /** The earliest revision that this file can be restored to. */
  readonly oldest_revision: number;
  readonly created_at: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface StoredBackup extends BackupManifest {
  readonly path: string;
}

export interface BackupProgress {
  readonly totalPages: number;
  readonly remainingPages: number;
}

export interface BackupOptions {
  readonly now?: () => number;
  readonly onProgress?: ((progress: BackupProgress) => void) | undefined;
}

const PAGES_PER_STEP = 1_024;
export const UNFINISHED = '.unfinished';

/** Throws BACKUP_EXISTS if a backup with this name exists. */
export async function backupDatabase(
  database: Database,
  target: string,
  options: BackupOptions = {},
): Promise<BackupManifest> {
  const path = resolve(target);
  if (isTaken(path)) throw storeErrors.BACKUP_EXISTS(`${path} already exists`);
  const backup = await backupToFirstFree(database, [path], options);
  if (backup === undefined) throw storeErrors.BACKUP_EXISTS(`${path} already exists`);
  const { path: _, ...manifest } = backup;
  return manifest;
}

/** Copies to a temporary name, then gives the copy the first free name; returns undefined if all are taken. */
export async function backupToFirstFree(
  database: Database,
  paths: Iterable<string>,
  { now = systemClock, onProgress = () => undefined }: BackupOptions,
): Promise<StoredBackup | undefined> {
  const candidates = paths[Symbol.iterator]();
  const first = candidates.next().value as string;
  const unfinished = `${first}.${randomBytes(6).toString('hex')}${UNFINISHED}`;
  const created_at = toTimestamp(now());
  makeFolder(dirname(first));
  try {
    // Creates the file with mode 0600, because SQLite would create it with mode 0644.
    closeSync(openSync(unfinished, 'wx', 0o600));
    await copySnapshot(database, unfinished, onProgress);
    const contents = sealCopy(unfinished);
    failpoint('backup.copied');
    const manifest: BackupManifest = {
      format: 1,
      database: basename(database.path),
      kind: database.kind,
      ...contents,
      created_at,
      bytes: statSync(unfinished).size,
      sha256: await fileHash(unfinished),
    };
    for (
      let path: string | undefined = first;
      path !== undefined;
      path = candidates.next().value as string | undefined
    ) {
      if (isTaken(path) || !createFileDurablySync(manifestPath(path), `${JSON.stringify(manifest, null, 2)}\n`))
        continue;
      failpoint('backup.described');
      renameSync(unfinished, path);
      failpoint('backup.named');
      syncFolderSync(dirname(path));
      return { path, ...manifest };
    }
    return undefined;
  } catch (error) {
    throw toStoreError(error, first);
  } finally {
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(unfinished + suffix, { force: true });
  }
}

function isTaken(path: string): boolean {
  return existsSync(path) || existsSync(manifestPath(path));
}

/** Throws BACKUP_INVALID unless the file matches its manifest. */
export async function verifyBackup(target: string): Promise<BackupManifest> {
  const path = resolve(target);
  if (!existsSync(path)) throw storeErrors.STORE_NOT_FOUND(`There is no backup at ${path}`);
  const manifest = readManifest(path);
  const { size } = statSync(path);
  if (size !== manifest.bytes) throw invalid(path, `its size is ${size} bytes instead of ${manifest.bytes}`);
  if ((await fileHash(path)) !== manifest.sha256) throw invalid(path, 'its SHA-256 differs from the manifest');
  const contents = inspectCopy(path);
  if (contents.revision !== manifest.revision)
    throw invalid(path, `its revision ${contents.revision} differs from the manifest`);
  return manifest;
}

/** Checks and describes a copy without a manifest, for example one made by SQLite's `.backup`. */
export async function describeCopy(target: string): Promise<BackupManifest> {
  const path = resolve(target);
  if (!existsSync(path)) throw storeErrors.STORE_NOT_FOUND(`There is no backup at ${path}`);
  // The copy is in WAL mode, so even reading it creates these files, which must be removed afterwards.
  const created = ['-wal', '-shm'].map((suffix) => path + suffix).filter((file) => !existsSync(file));
  try {
    const kind = detectKind(path);
    if (kind === undefined) throw storeErrors.NOT_A_HOLDFAST_DATABASE(`${path} is not a Holdfast database`);
    const contents = inspectCopy(path);
    const { size: bytes, mtimeMs } = statSync(path);
    const sha256 = await fileHash(path);
    return { format: 1, database: basename(path), kind, ...contents, created_at: toTimestamp(mtimeMs), bytes, sha256 };
  } finally {
    for (const file of created) rmSync(file, { force: true });
  }
}

export function hasManifest(path: string): boolean {
  return existsSync(manifestPath(path));
}

async function copySnapshot(
  database: Database,
  target: string,
  onProgress: (progress: BackupProgress) => void,
): Promise<void> {
  const snapshot = database.snapshot();
  try {
    await copyPages(snapshot.connection.driver, target, { rate: PAGES_PER_STEP, progress: onProgress });
  } finally {
    snapshot.release();
  }
}

/** Makes the copy self-contained and durable, and checks it. */
function sealCopy(path: string): { revision: number; oldest_revision: number } {
  const copy = new DatabaseSync(path);
  try {
    // Leaves WAL mode, because opening a copy in WAL mode would create a -wal file.
    copy.exec('PRAGMA journal_mode = DELETE');
  } finally {
    copy.close();
  }
  const contents = inspectCopy(path);
  syncFileSync(path);
  return contents;
}

function inspectCopy(path: string): { revision: number; oldest_revision: number } {
  try {
    const copy = new DatabaseSync(path, { readOnly: true });
    try {
      const check = copy.prepare('PRAGMA integrity_check(1)').get() as { integrity_check: string };
      if (check.integrity_check !== 'ok') throw invalid(path, check.integrity_check);
      return copy
        .prepare(
          `SELECT coalesce(max(revision), 0) AS revision, coalesce(min(revision), 0) AS oldest_revision
           FROM holdfast_journal`,
        )
        .get() as { revision: number; oldest_revision: number };
    } finally {
      copy.close();
    }
  } catch (error) {
    throw isDamage(error) ? invalid(path, (error as Error).message) : toStoreError(error, path);
  }
}

export function readManifest(path: string): BackupManifest {
  try {
    const manifest = JSON.parse(readFileSync(manifestPath(path), 'utf8')) as BackupManifest;
    if (manifest.format === 1) return manifest;
  } catch (error) {
    throw storeErrors.BACKUP_INVALID(`${path} has no readable manifest next to it`, { cause: error });
  }
  throw invalid(path, 'its manifest has an unknown format');
}

export function manifestPath(path: string): string {
  return `${path}.json`;
}

function invalid(path: string, reason: string): Error {
  return storeErrors.BACKUP_INVALID(`${path} is not a valid backup: ${reason}`);
}

async function fileHash(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
