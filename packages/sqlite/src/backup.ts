import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

import { failpoint } from '@holdfast/base';

import type { Database } from './database.ts';
import { DatabaseSync, backup as copyPages } from './driver.ts';
import { isDamage, storeErrors, toStoreError } from './errors.ts';
import type { DatabaseKind } from './layout.ts';
import { makeFolder, syncFolder } from './place.ts';

/**
 * An online backup: one self-contained file and a manifest that says what it must contain.
 *
 * The copy is taken from a snapshot, so it is the state at exactly one revision however busy the database is. The
 * manifest is written last: a backup without one is an interrupted one and is refused.
 */

export interface BackupManifest {
  readonly format: 1;
  readonly database: string;
  readonly kind: DatabaseKind;
  readonly revision: number;
  /** The earliest commit that this file can be restored to. */
  readonly oldest_revision: number;
  readonly created_at: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface BackupProgress {
  readonly totalPages: number;
  readonly remainingPages: number;
}

const PAGES_PER_STEP = 1_024;

export async function backupDatabase(
  database: Database,
  target: string,
  onProgress: (progress: BackupProgress) => void = () => undefined,
): Promise<BackupManifest> {
  const path = resolve(target);
  if (existsSync(path) || existsSync(manifestPath(path))) throw storeErrors.BACKUP_EXISTS(`${path} exists already`);
  const unfinished = `${path}.unfinished`;
  makeFolder(dirname(path));
  rmSync(unfinished, { force: true });
  try {
    await copySnapshot(database, unfinished, onProgress);
    const contents = sealCopy(unfinished);
    failpoint('backup.copied');
    const manifest: BackupManifest = {
      format: 1,
      database: basename(database.path),
      kind: database.kind,
      ...contents,
      created_at: new Date().toISOString(),
      bytes: statSync(unfinished).size,
      sha256: await fileHash(unfinished),
    };
    renameSync(unfinished, path);
    failpoint('backup.named');
    writeDurably(unfinished, `${JSON.stringify(manifest, null, 2)}\n`);
    failpoint('backup.described');
    renameSync(unfinished, manifestPath(path));
    syncFolder(dirname(path));
    return manifest;
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw toStoreError(error, path);
  }
}

/** Throws BACKUP_INVALID unless the file is exactly what its manifest promises. */
export async function verifyBackup(target: string): Promise<BackupManifest> {
  const path = resolve(target);
  if (!existsSync(path)) throw storeErrors.STORE_NOT_FOUND(`There is no backup at ${path}`);
  const manifest = readManifest(path);
  const { size } = statSync(path);
  if (size !== manifest.bytes) throw invalid(path, `it has ${size} bytes instead of ${manifest.bytes}`);
  if ((await fileHash(path)) !== manifest.sha256) throw invalid(path, 'its SHA-256 differs from the manifest');
  const contents = inspectCopy(path);
  if (contents.revision !== manifest.revision) throw invalid(path, `it holds revision ${contents.revision}`);
  return manifest;
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

/** Makes the copy one private, self-contained, durable file, and checks it. */
function sealCopy(path: string): { revision: number; oldest_revision: number } {
  chmodSync(path, 0o600);
  const copy = new DatabaseSync(path);
  try {
    // Without this the copy would still claim to be in WAL mode and grow a -wal file of its own.
    copy.exec('PRAGMA journal_mode = DELETE');
  } finally {
    copy.close();
  }
  const contents = inspectCopy(path);
  syncFile(path);
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

function readManifest(path: string): BackupManifest {
  try {
    const manifest = JSON.parse(readFileSync(manifestPath(path), 'utf8')) as BackupManifest;
    if (manifest.format === 1) return manifest;
  } catch (error) {
    throw storeErrors.BACKUP_INVALID(`${path} has no readable manifest beside it`, { cause: error });
  }
  throw invalid(path, 'its manifest has an unknown format');
}

function manifestPath(path: string): string {
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

function writeDurably(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 });
  syncFile(path);
}

function syncFile(path: string): void {
  const descriptor = openSync(path, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
