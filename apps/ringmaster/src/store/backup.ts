import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import {
  type BackupManifest,
  backupToFolder,
  type FolderBackup,
  listBackups,
  replaceFromBackup,
  restoreToRevision,
  revisionAt,
  type StoredBackup,
  verifyBackup,
} from '@holdfast/sqlite';

import { ringmasterErrors } from '../model/errors.ts';
import { type StoredFile, presentFiles } from './files.ts';
import { openStore, type Store } from './open.ts';

export { listBackups, type StoredBackup };

export function backupStore(
  store: Store,
  folder: string,
  now: () => number,
  retentionDays: number,
): Promise<FolderBackup> {
  return backupToFolder(store.database, folder, { now, retentionDays });
}

export function verifyStoreBackup(path: string): Promise<BackupManifest> {
  return verifyBackup(path);
}

/** Returns the last commit at or before a time; undefined if the journal does not reach back that far. */
export function revisionOfMoment(store: Store, milliseconds: number): number | undefined {
  return revisionAt(store.database.reader, milliseconds);
}

/** Restores as one more commit, which can itself be undone. */
export async function goBackTo(store: Store, revision: number): Promise<number> {
  const { value } = await restoreToRevision(store.database, revision);
  const problems = foreignKeyProblems(store);
  if (problems > 0) throw ringmasterErrors.FILE_MISSING(`${problems} references are broken after the restore`);
  return value;
}

/** Replaces the database with a backup, restored to `revision` if given. Refuses while a process has it open. */
export async function putBackup(
  databasePath: string,
  backupPath: string,
  revision: number | undefined,
): Promise<{ readonly kept: string | undefined; readonly manifest: BackupManifest }> {
  return replaceFromBackup(databasePath, backupPath, async (copy) => {
    if (revision === undefined) return;
    const store = await openStore({ path: copy, create: false });
    try {
      await goBackTo(store, revision);
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

export function filesOf(store: Store): readonly StoredFile[] {
  return presentFiles(store.reader);
}

function foreignKeyProblems(store: Store): number {
  return store.reader.all('PRAGMA foreign_key_check').length;
}
