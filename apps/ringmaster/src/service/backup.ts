import { join } from 'node:path';

import { DAY, failpoint, toTimestamp } from '@holdfast/base';

import { fileExists, inside, sha256 } from '../adapters/files.ts';
import { ObjectStore } from '../adapters/object-store.ts';
import { ProjectFileReader } from '../adapters/project-files.ts';
import { deleteEvents, recordEvent } from '../store/events.ts';
import {
  backupToFolder,
  deletedFiles,
  type FileContent,
  inspectBackup,
  knownProjectFiles,
  listBackups as listIn,
  markDeleted,
  oldIterationFiles,
  presentFiles,
  recordProjectFile,
  type StoredBackup,
  type StoredFile,
  verifyBackup,
} from '../store/files.ts';
import { setMeta } from '../store/meta.ts';
import { archiveDone, forgetOutput } from '../store/tasks.ts';
import { writeTaskFiles } from './projections.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

export interface BackupResult extends StoredBackup {
  readonly files: number;
  readonly deleted: readonly string[];
}

/** Number of days that the journal covers. Deleted files must be kept equally long. */
const JOURNAL_DAYS = 7;

function backupFolder({ workspace }: Ringmaster): string {
  return join(workspace.filesPath, 'backups');
}

/** Copies files before the database, so that every file that the copied database refers to exists. */
export async function backup(rm: Ringmaster): Promise<BackupResult> {
  await recordProjectFiles(rm);
  const objects = new ObjectStore(rm.workspace.filesPath);
  const now = new Date(rm.clock());
  const files = presentFiles(rm.store.reader);
  for (const file of files) keep(objects, file, now);
  failpoint('ringmaster.backup.files');
  const made = await backupToFolder(rm.store.database, backupFolder(rm), {
    now: rm.clock,
    retentionDays: rm.config.storage.backup_retention_days,
  });
  // Adds files that were created while the database was copied.
  for (const file of presentFiles(rm.store.reader)) if (!objects.has(file.sha256)) keep(objects, file, now);
  return { ...made, files: files.length };
}

/**
 * Stores a file. For a project file, only updates the time of last use: its content is already stored under the
 * recorded hash, and the file itself may have changed since.
 */
function keep(objects: ObjectStore, { path, kind, sha256: hash }: StoredFile, now: Date): void {
  if (kind === 'project') objects.touch(hash, now);
  else objects.keep(path, hash, now);
}

/** Deletes content that neither the journal nor a backup needs; returns the number of deleted objects. */
export function purgeObjects(rm: Ringmaster): number {
  const days = Math.max(JOURNAL_DAYS, rm.config.storage.backup_retention_days) + 1;
  return new ObjectStore(rm.workspace.filesPath).purge(rm.clock() - days * DAY);
}

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
      await verifyBackup(path);
      const files = await inspectBackup(path, ({ reader }) => presentFiles(reader));
      const lost = files.filter((file) => !objects.has(file.sha256));
      checked.push({ path, problem: lost.length === 0 ? null : `${lost.length} files are missing` });
    } catch (error) {
      checked.push({ path, problem: (error as Error).message });
    }
  }
  return checked;
}

export interface CleanupResult {
  readonly archived: number;
  readonly logs: number;
  readonly events: number;
  readonly purged: number;
}

/** Meta key for the time of the last cleanup. */
export const CLEANED = 'cleaned_at';

/**
 * Archives done tasks instead of deleting them, because other tasks may depend on them and Beads files refer to them.
 * Deletes old logs and marks them as deleted in the database. Also deletes old events.
 */
export async function cleanUp(rm: Ringmaster): Promise<CleanupResult> {
  const { cleanup_completed_tasks_days, cleanup_iteration_logs_days, cleanup_events_days } = rm.config.storage;
  const before = (days: number): string => toTimestamp(rm.clock() - days * DAY);
  const result = await rm.store.write('cleanup', (tx) => {
    const call = callOf(rm);
    const archived = archiveDone(tx, before(cleanup_completed_tasks_days), call.now);
    const logs = oldIterationFiles(tx, before(cleanup_iteration_logs_days));
    for (const { path } of logs) {
      markDeleted(tx, path, call.now);
      forgetOutput(tx, path);
    }
    const events = deleteEvents(tx, before(cleanup_events_days));
    setMeta(tx, CLEANED, call.now);
    if (archived + logs.length + events > 0) {
      const data = { archived, logs: logs.length, events };
      recordEvent(tx, call, { type: 'cleaned_up', entity: 'store', id: 'cleanup', data });
    }
    return { archived, logs, events };
  });
  failpoint('ringmaster.cleanup.rows');
  removeDeleted(rm);
  return { archived: result.archived, logs: result.logs.length, events: result.events, purged: purgeObjects(rm) };
}

/** Removes files marked as deleted, including those that an interrupted cleanup left. */
function removeDeleted(rm: Ringmaster): void {
  const left = deletedFiles(rm.store.reader).filter(({ path }) => fileExists(inside(rm.workspace.filesPath, path)));
  const objects = new ObjectStore(rm.workspace.filesPath);
  for (const file of left) objects.remove(file.path, file.sha256, new Date(rm.clock()));
  const tasks = new Set(left.flatMap(({ path }) => /^tasks\/([^/]+)\//.exec(path)?.[1] ?? []));
  for (const task of tasks) writeTaskFiles(rm, task);
}

export interface ProjectFileChanges {
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/**
 * Stores changed content of project.md, conventions.md and context/ by hash, and commits the new hashes. People edit
 * these files with their own programs. Call it before using the files, so that backups contain them and a restore
 * brings back the right version.
 */
export async function recordProjectFiles(
  rm: Ringmaster,
  reader = new ProjectFileReader(rm.workspace.filesPath),
): Promise<ProjectFileChanges> {
  const found = new Map(reader.look().map((file) => [file.path, file.sha256]));
  const known = new Map(knownProjectFiles(rm.store.reader).map((file) => [file.path, file.sha256]));
  const removed = [...known.keys()].filter((path) => !found.has(path));
  const changed = [...found].filter(([path, hash]) => known.get(path) !== hash).map(([path]) => path);
  if (changed.length + removed.length === 0) return { changed, removed };
  const objects = new ObjectStore(rm.workspace.filesPath);
  const contents = changed.map((path): FileContent => {
    // Reads and hashes again, because the file may have changed since the comparison.
    const bytes = reader.read(path);
    const hash = sha256(bytes);
    objects.put(bytes, hash, new Date(rm.clock()));
    return { path, bytes: bytes.length, sha256: hash };
  });
  await rm.store.write('files of projects', (tx) => {
    const call = callOf(rm);
    for (const content of contents) recordProjectFile(tx, content, call.now);
    for (const path of removed) markDeleted(tx, path, call.now);
    const data = { changed, removed };
    recordEvent(tx, call, { type: 'project_files_changed', entity: 'store', id: 'projects', data });
  });
  return { changed, removed };
}
