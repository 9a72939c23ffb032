import { chmodSync, copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

import { failpoint, syncFolderSync } from '@holdfast/base';

import { type BackupManifest, describeCopy, hasManifest, verifyBackup } from './backup.ts';
import { closedFilesReleased, DatabaseSync, type DatabaseSyncInstance } from './driver.ts';
import { isBusy, isDamage, storeErrors, toStoreError } from './errors.ts';
import { fileIdentity, makeFolder } from './store-location.ts';

/**
 * Replaces a lost, damaged or unusable database file with a backup. SQLite would replay an old `-wal` into the new
 * file. So the old database first leaves WAL mode, which removes its `-wal` and fails if another connection is open.
 * The old database stays locked while one rename installs the new file. A kill leaves either the whole old database or
 * the new one. The old file stays next to the new one.
 */

export interface Replacement {
  readonly manifest: BackupManifest;
  /** New path of the old file, if there was one. */
  readonly kept: string | undefined;
}

/**
 * If the revision of the old file is unknown, the new file's revision is increased by this number, because revisions
 * must never repeat.
 */
const REVISION_JUMP = 1_000_000;

/** `prepare` may change the copy, for example restore it to an earlier commit. */
export async function replaceFromBackup(
  target: string,
  backupPath: string,
  prepare: (copy: string) => Promise<void> = () => Promise.resolve(),
): Promise<Replacement> {
  const path = resolve(target);
  if (existsSync(path) && existsSync(backupPath) && fileIdentity(path) === fileIdentity(backupPath)) {
    throw storeErrors.BACKUP_INVALID(`${backupPath} is the database itself`);
  }
  const manifest = await (hasManifest(backupPath) ? verifyBackup : describeCopy)(backupPath);
  const kept = await replaceFile(path, async (unfinished, oldRevision) => {
    copyFileSync(resolve(backupPath), unfinished);
    chmodSync(unfinished, 0o600);
    await prepare(unfinished);
    await closedFilesReleased(unfinished);
    continueRevisions(unfinished, oldRevision, basename(backupPath));
  });
  return { manifest, kept };
}

/**
 * Replaces a database file. `fill` gets the revision of the old file and creates the new one. Returns the new path of
 * the old file, if there was one.
 */
export async function replaceFile(
  path: string,
  fill: (unfinished: string, oldRevision: number | undefined) => Promise<void>,
): Promise<string | undefined> {
  const unfinished = `${path}.restore-unfinished`;
  makeFolder(dirname(path));
  await closedFilesReleased(path);
  const old = takeExclusively(path);
  try {
    // An interrupted replacement may have left a journal, which SQLite would apply to the new copy.
    removeDatabaseFile(unfinished);
    await fill(unfinished, old.revision);
    failpoint('replace.copied');
    const kept = existsSync(path) ? keepOld(path) : undefined;
    failpoint('replace.kept');
    renameSync(unfinished, path);
    syncFolderSync(dirname(path));
    failpoint('replace.renamed');
    return kept;
  } catch (error) {
    throw toStoreError(error, path);
  } finally {
    removeDatabaseFile(unfinished);
    old.release();
    await closedFilesReleased(path);
  }
}

const COMPANIONS = ['-wal', '-shm', '-journal'];

/** Removes a database file and the files that SQLite keeps next to it. */
export function removeDatabaseFile(path: string): void {
  for (const suffix of ['', ...COMPANIONS]) rmSync(`${path}${suffix}`, { force: true });
}

interface Exclusive {
  readonly revision: number | undefined;
  release(): void;
}

function takeExclusively(path: string): Exclusive {
  if (!existsSync(path)) return nobodyElse(path);
  let old: DatabaseSyncInstance | undefined;
  try {
    old = new DatabaseSync(path, { timeout: 1_000 });
    // Fails if another connection is open, and leaves no -wal on success.
    old.exec('PRAGMA journal_mode = DELETE');
    old.exec('BEGIN EXCLUSIVE');
    const mode = old.prepare('PRAGMA journal_mode').get() as { journal_mode: string };
    if (mode.journal_mode !== 'delete') throw inUse(path);
    const locked = old;
    return { revision: revisionOf(locked), release: () => letGo(locked) };
  } catch (error) {
    if (old !== undefined) letGo(old);
    if (isBusy(error)) throw inUse(path, error);
    if (!isDamage(error)) throw toStoreError(error, path);
    return nobodyElse(path);
  }
}

/**
 * For a lost or unreadable file, which no connection can use. Removes its -wal, which SQLite would replay into the new
 * file.
 */
function nobodyElse(path: string): Exclusive {
  for (const suffix of COMPANIONS) rmSync(`${path}${suffix}`, { force: true });
  return { revision: undefined, release: () => undefined };
}

/** Rolls back first: `close` alone keeps the lock until the statements are garbage-collected. */
function letGo(database: DatabaseSyncInstance): void {
  if (database.isTransaction) database.exec('ROLLBACK');
  database.close();
}

function revisionOf(database: DatabaseSyncInstance): number | undefined {
  try {
    const row = database.prepare('SELECT max(revision) AS revision FROM holdfast_journal').get();
    return (row as { revision: number | null }).revision ?? 0;
  } catch {
    return undefined;
  }
}

/** Adds an entry for the restore to the new file's journal, at an unused revision. */
function continueRevisions(path: string, oldRevision: number | undefined, source: string): void {
  const copy = new DatabaseSync(path);
  try {
    const row = copy.prepare('SELECT coalesce(max(revision), 0) AS revision FROM holdfast_journal').get();
    const { revision } = row as { revision: number };
    const next = oldRevision === undefined ? revision + REVISION_JUMP : Math.max(revision, oldRevision) + 1;
    copy.exec('PRAGMA journal_mode = DELETE');
    copy.exec('PRAGMA synchronous = FULL');
    copy
      .prepare('INSERT INTO holdfast_journal (revision, at, kind, changes, note) VALUES (?, ?, ?, ?, ?)')
      .run(next, Date.now(), 'schema', '', `restored from backup ${source}`);
  } finally {
    copy.close();
  }
}

function keepOld(path: string): string {
  const stamp = new Date().toISOString().replaceAll(/[-:]/g, '').replace('.', '');
  const kept = `${path}.replaced-${stamp}`;
  linkSync(path, kept);
  return kept;
}

function inUse(path: string, cause?: unknown): Error {
  return storeErrors.STORE_IN_USE(`${path} is in use by another process`, { cause });
}
