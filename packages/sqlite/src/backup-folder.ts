import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

import { DAY, systemClock } from '@holdfast/base';

import {
  type BackupOptions,
  backupToFirstFree,
  manifestPath,
  readManifest,
  type StoredBackup,
  UNFINISHED,
} from './backup.ts';
import type { Database } from './database.ts';
import { storeErrors } from './errors.ts';

/** A folder of backups: naming, listing and retention. */

const RETENTION_DAYS = 30;
const NAMES_PER_MINUTE = 100;

export interface FolderBackupOptions extends BackupOptions {
  readonly retentionDays?: number;
}

export interface FolderBackup extends StoredBackup {
  /** Paths of expired backups that were deleted. */
  readonly deleted: readonly string[];
}

/** Creates a backup named after database and minute, then deletes expired ones. */
export async function backupToFolder(
  database: Database,
  folder: string,
  { now = systemClock, retentionDays = RETENTION_DAYS, onProgress }: FolderBackupOptions = {},
): Promise<FolderBackup> {
  const stem = join(folder, basename(database.path, '.db'));
  const backup = await backupToFirstFree(database, backupPaths(stem, now(), database.revision()), { now, onProgress });
  if (backup === undefined) {
    throw storeErrors.BACKUP_EXISTS(`${folder} already has too many backups from this minute`, {
      hint: 'Wait a minute, then try again.',
    });
  }
  const deleted = expiredBackups(listBackups(folder), now(), retentionDays).map(({ path }) => path);
  for (const path of deleted) deleteBackup(path);
  removeInterrupted(folder);
  return { ...backup, deleted };
}

/** Lists backups, oldest first. Omits interrupted backups, which lack their file or manifest. */
export function listBackups(folder: string): readonly StoredBackup[] {
  return namesIn(folder)
    .filter((name) => name.endsWith(manifestPath('.db')) && existsSync(fileOf(folder, name)))
    .flatMap((name) => {
      try {
        return [{ path: fileOf(folder, name), ...readManifest(fileOf(folder, name)) }];
      } catch {
        return [];
      }
    })
    .toSorted(
      (left, right) =>
        timeOf(left) - timeOf(right) || left.revision - right.revision || (left.path < right.path ? -1 : 1),
    );
}

/**
 * Returns the backups to delete from a list sorted oldest first. Keeps all backups from the last day, one per day
 * within the retention, and always the newest.
 */
export function expiredBackups<Backup extends Pick<StoredBackup, 'created_at'>>(
  backups: readonly Backup[],
  now: number,
  retentionDays: number,
): readonly Backup[] {
  const newestFirst = backups.toReversed().toSorted((left, right) => timeOf(right) - timeOf(left));
  const daysSeen = new Set<number>();
  return newestFirst.filter((backup, index) => {
    const at = timeOf(backup);
    if (index === 0 || at > now - DAY) return false;
    if (at < now - retentionDays * DAY) return true;
    const day = Math.floor(at / DAY);
    if (daysSeen.has(day)) return true;
    daysSeen.add(day);
    return false;
  });
}

/**
 * Yields names such as `np_20260126_1000.db`, in UTC; further backups in the same minute also get a revision and a
 * number.
 */
function* backupPaths(stem: string, at: number, revision: number): Generator<string, void> {
  const minute = new Date(at).toISOString().slice(0, 16).replaceAll(/[-:]/g, '').replace('T', '_');
  yield `${stem}_${minute}.db`;
  yield `${stem}_${minute}_r${revision}.db`;
  for (let copy = 2; copy < NAMES_PER_MINUTE; copy++) yield `${stem}_${minute}_r${revision}_${copy}.db`;
}

function deleteBackup(path: string): void {
  // Deletes the file first: an interruption leaves only a manifest, which is not listed and is deleted later.
  rmSync(path, { force: true });
  rmSync(manifestPath(path), { force: true });
}

/** Removes leftovers of interrupted backups when they are so old that no backup can still be writing them. */
function removeInterrupted(folder: string): void {
  for (const name of namesIn(folder)) {
    const isLeft =
      name.includes(UNFINISHED) || (name.endsWith(manifestPath('.db')) && !existsSync(fileOf(folder, name)));
    const path = join(folder, name);
    // Uses the system clock, because the file's modification time comes from it too.
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity);
    if (isLeft && age > DAY) rmSync(path, { force: true });
  }
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function fileOf(folder: string, manifestName: string): string {
  return join(folder, manifestName.slice(0, -manifestPath('').length));
}

function timeOf({ created_at }: Pick<StoredBackup, 'created_at'>): number {
  return Date.parse(created_at);
}
