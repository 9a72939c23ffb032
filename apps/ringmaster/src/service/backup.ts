import { join } from 'node:path';

import { DAY, failpoint } from '@holdfast/base';

import { ObjectStore } from '../adapters/object-store.ts';
import {
  backupStore,
  filesOf,
  inspectBackup,
  listBackups as listIn,
  type StoredBackup,
  verifyStoreBackup,
} from '../store/backup.ts';
import type { StoredFile } from '../store/files.ts';
import { noticeProjectFiles } from './project-files.ts';
import type { Ringmaster } from './ringmaster.ts';

export interface BackupResult extends StoredBackup {
  readonly files: number;
  readonly deleted: readonly string[];
}

/** The journal reaches back this far, so files must too. */
const JOURNAL_DAYS = 7;

function backupFolder({ workspace }: Ringmaster): string {
  return join(workspace.filesPath, 'backups');
}

/** Copies files first, so that everything the database copy refers to exists. */
export async function backup(rm: Ringmaster): Promise<BackupResult> {
  await noticeProjectFiles(rm);
  const objects = new ObjectStore(rm.workspace.filesPath);
  const now = new Date(rm.clock());
  const files = filesOf(rm.store);
  for (const file of files) keep(objects, file, now);
  failpoint('ringmaster.backup.files');
  const { backup_retention_days } = rm.config.storage;
  const made = await backupStore(rm.store, backupFolder(rm), rm.clock, backup_retention_days);
  // Files added meanwhile.
  for (const file of filesOf(rm.store)) if (!objects.has(file.sha256)) keep(objects, file, now);
  return { ...made, files: files.length };
}

/** Project files were stored when the change was noticed and may have changed since. */
function keep(objects: ObjectStore, { path, kind, sha256 }: StoredFile, now: Date): void {
  if (kind === 'project') objects.touch(sha256, now);
  else objects.keep(path, sha256, now);
}

/** Deletes content that neither the journal nor a backup needs. */
export function purgeObjects(rm: Ringmaster): number {
  const days = Math.max(JOURNAL_DAYS, rm.config.storage.backup_retention_days) + 1;
  return new ObjectStore(rm.workspace.filesPath).purge(rm.clock() - days * DAY);
}

/** Oldest first. */
export function listBackups(rm: Ringmaster): readonly StoredBackup[] {
  return listIn(backupFolder(rm));
}

export interface CheckedBackup {
  readonly path: string;
  readonly problem: string | null;
}

/** Reads each backup completely and checks that every file it refers to is stored. */
export async function verifyBackups(rm: Ringmaster): Promise<readonly CheckedBackup[]> {
  const objects = new ObjectStore(rm.workspace.filesPath);
  const checked: CheckedBackup[] = [];
  for (const { path } of listBackups(rm)) {
    try {
      await verifyStoreBackup(path);
      const files = await inspectBackup(path, filesOf);
      const lost = files.filter(({ sha256 }) => !objects.has(sha256));
      checked.push({ path, problem: lost.length === 0 ? null : `${lost.length} files are missing` });
    } catch (error) {
      checked.push({ path, problem: (error as Error).message });
    }
  }
  return checked;
}
