import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import {
  type BackupManifest,
  backupToFolder,
  listBackups,
  replaceFromBackup,
  restoreToRevision,
  revisionAt,
  type StoredBackup,
  verifyBackup,
} from '@holdfast/sqlite';

import { ringmasterErrors } from '../model/errors.ts';
import { insertRow, openStore, type Store, type Tx } from './open.ts';

/**
 * A file that the database refers to. Its content never changes, except for `project` files, which people edit.
 * Deleting the file sets `deleted_at`.
 */
export interface StoredFile {
  readonly path: string;
  readonly kind: 'media' | 'iteration' | 'prompt' | 'context' | 'summary' | 'project';
  readonly bytes: number;
  readonly sha256: string;
  readonly created_at: string;
  readonly deleted_at: string | null;
}

export function registerFile(tx: Tx, file: Omit<StoredFile, 'deleted_at'>): void {
  insertRow(tx, 'files', file, 'ON CONFLICT (path) DO UPDATE SET deleted_at = NULL');
}

export function presentFiles(tx: Tx): StoredFile[] {
  return tx.all<StoredFile>('SELECT * FROM files WHERE deleted_at IS NULL ORDER BY path');
}

/** Returns the output of attempts that ended before a time. */
export function oldIterationFiles(tx: Tx, before: string): StoredFile[] {
  return tx.all<StoredFile>(
    `SELECT f.* FROM files f JOIN attempts a ON a.output_path = f.path
     WHERE f.kind = 'iteration' AND f.deleted_at IS NULL AND a.ended_at < ?1
     UNION
     SELECT f.* FROM files f JOIN iterations i ON f.path IN (i.log_path, i.prompt_path, i.context_path)
     JOIN attempts a ON a.id = i.attempt_id WHERE f.deleted_at IS NULL AND a.ended_at < ?1
     ORDER BY path`,
    before,
  );
}

/** ringmaster's own files that are marked as deleted. Excludes `project` files, which people delete themselves. */
export function deletedFiles(tx: Tx): StoredFile[] {
  return tx.all<StoredFile>(`SELECT * FROM files WHERE deleted_at IS NOT NULL AND kind <> 'project' ORDER BY path`);
}

export function markDeleted(tx: Tx, path: string, now: string): void {
  tx.run('UPDATE files SET deleted_at = ? WHERE path = ?', now, path);
}

export type FileContent = Pick<StoredFile, 'path' | 'bytes' | 'sha256'>;

/** Returns the recorded versions of the files that people edit. */
export function knownProjectFiles(tx: Tx): StoredFile[] {
  return tx.all<StoredFile>(`SELECT * FROM files WHERE kind = 'project' AND deleted_at IS NULL ORDER BY path`);
}

/**
 * Records a version of a file that people edit. The journal keeps the previous hash, so every version can be found
 * again.
 */
export function recordProjectFile(tx: Tx, content: FileContent, now: string): void {
  const updates =
    'bytes = excluded.bytes, sha256 = excluded.sha256, created_at = excluded.created_at, deleted_at = NULL';
  const file = { ...content, kind: 'project', created_at: now };
  insertRow(tx, 'files', file, `ON CONFLICT (path) DO UPDATE SET ${updates}`);
}

export { backupToFolder, listBackups, type StoredBackup, verifyBackup };

/** Returns the last commit at or before a time; undefined if the journal does not reach back that far. */
export function revisionAtTime(store: Store, milliseconds: number): number | undefined {
  return revisionAt(store.database.reader, milliseconds);
}

/** Restores a revision as a new commit, which can itself be undone. */
export async function restoreRevision(store: Store, revision: number): Promise<number> {
  const { value } = await restoreToRevision(store.database, revision);
  const problems = store.reader.all('PRAGMA foreign_key_check').length;
  if (problems > 0) throw ringmasterErrors.FILE_MISSING(`${problems} references are broken after the restore`);
  return value;
}

/**
 * Replaces the database with a backup, restored to `revision` if given. Refuses while a process has the database open.
 */
export async function replaceWithBackup(
  databasePath: string,
  backupPath: string,
  revision: number | undefined,
): Promise<{ readonly kept: string | undefined; readonly manifest: BackupManifest }> {
  return replaceFromBackup(databasePath, backupPath, async (copy) => {
    if (revision === undefined) return;
    const store = await openStore({ path: copy, create: false });
    try {
      await restoreRevision(store, revision);
    } finally {
      await store.close();
    }
  });
}

/** Opens a copy of a backup, because opening the backup itself would change it. */
export async function inspectBackup<T>(path: string, look: (store: Store) => T): Promise<T> {
  const folder = mkdtempSync(join(dirname(path), '.inspect-'));
  const copy = join(folder, 'copy.db');
  try {
    copyFileSync(path, copy);
    const store = await openStore({ path: copy, create: false });
    try {
      return look(store);
    } finally {
      await store.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
