import { join, resolve } from 'node:path';

import { failpoint, HOUR, isWorking } from '@holdfast/base';

import { loadConfig } from '../adapters/config-file.ts';
import { fileExists } from '../adapters/files.ts';
import { ObjectStore } from '../adapters/object-store.ts';
import { projectFilePaths } from '../adapters/project-files.ts';
import { findRoot, type Workspace, workspaceAt } from '../adapters/workspace.ts';
import { ringmasterErrors } from '../model/errors.ts';
import { liveAttempts } from '../store/attempts.ts';
import { eventsRemovedByRestore, recordEvent, restoreEvents } from '../store/events.ts';
import { inspectBackup, presentFiles, replaceWithBackup, restoreRevision, revisionAtTime } from '../store/files.ts';
import { maintenanceOwner } from '../store/meta.ts';
import { lastUndoable, undoRows, type UndoTarget } from '../store/undo.ts';
import { recordProjectFiles } from './backup.ts';
import { writeTaskFiles } from './projections.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

export interface Restored {
  readonly revision: number;
  readonly changed: number;
  readonly undo_with: number;
  readonly files: FileChanges;
}

export interface FileChanges {
  readonly restored: readonly string[];
  readonly moved_aside: readonly string[];
  readonly missing: readonly string[];
}

/** Restores the state at any commit in the journal, as a new commit, and restores the files. */
export async function restoreAt(rm: Ringmaster, at: string): Promise<Restored> {
  refuseWhileInUse(rm);
  const revision = targetRevision(rm, at);
  await finishInterruptedRestore(rm);
  await recordProjectFiles(rm);
  const before = rm.store.database.revision();
  const changed = await restoreRevision(rm.store, revision);
  failpoint('ringmaster.restore.rows');
  const events = eventsRemovedByRestore(rm.store);
  await rm.store.write('restored', (tx) => {
    restoreEvents(tx, events);
    recordEvent(tx, callOf(rm), { type: 'restored', entity: 'store', id: String(revision), data: { at, before } });
  });
  return { revision, changed, undo_with: before, files: settleFiles(rm) };
}

/** Completes a restore that was interrupted before it had put the events back. */
export async function finishInterruptedRestore(rm: Ringmaster): Promise<void> {
  const events = eventsRemovedByRestore(rm.store);
  if (events.length > 0) await rm.store.write('restored', (tx) => restoreEvents(tx, events));
}

/** A number is a revision; any other text is a time. */
function targetRevision(rm: Ringmaster, at: string): number {
  if (/^\d+$/.test(at)) return Number(at);
  const moment = Date.parse(at);
  if (Number.isNaN(moment)) {
    throw ringmasterErrors.TEXT_INVALID(`"${at}" is neither a revision nor a time`, {
      hint: 'For example --at 120, or --at 2026-11-15T10:00:00Z',
    });
  }
  const revision = revisionAtTime(rm.store, moment);
  if (revision !== undefined) return revision;
  throw ringmasterErrors.NOTHING_TO_UNDO(`The journal has no commit before ${at}`, {
    hint: "Older states are in the backups: 'ringmaster backup list', then 'ringmaster restore --from BACKUP'.",
  });
}

/** Refuses a restore while a worker holds a task, because its attempt might not exist afterwards. */
function refuseWhileInUse({ store, clock }: Ringmaster): void {
  const now = clock();
  const holder = liveAttempts(store.reader).find(
    ({ lease_expires_at, pid, pid_start, boot_id }) =>
      Date.parse(lease_expires_at) > now ||
      (pid !== null &&
        isWorking({ pid, start: pid_start, boot: boot_id }) &&
        Date.parse(lease_expires_at) > now - HOUR),
  );
  const owner = maintenanceOwner(store.reader);
  if (holder === undefined && (owner === undefined || !isWorking(owner))) return;
  const who =
    holder === undefined ? `process ${owner?.pid} runs maintenance` : `${holder.worker_id} works on ${holder.task_id}`;
  throw ringmasterErrors.TASK_RUNNING(`The database is in use: ${who}`, {
    hint: "Stop the workers (ringmaster task cancel ID --now) and 'ringmaster maintain' first.",
  });
}

/**
 * Makes the files match the database: restores missing and damaged files, and removes or moves aside files that are not
 * in the database. Skips files that are being written.
 */
export function settleFiles(rm: Ringmaster, isGrowing: (path: string) => boolean = () => false): FileChanges {
  const objects = new ObjectStore(rm.workspace.filesPath);
  const now = new Date(rm.clock());
  const wanted = presentFiles(rm.store.reader);
  const known = new Set(wanted.map(({ path }) => path));
  const ours = objects.stateFiles().filter((path) => !known.has(path) && !isGrowing(path));
  for (const path of ours) objects.remove(path, objects.hashOf(path), now);
  const damaged = wanted.filter(({ path, sha256, bytes }) => !objects.isIntact(path, sha256, bytes));
  // Moves the user's files aside instead of deleting them, because their content may be stored nowhere else.
  const theirs = projectFilePaths(rm.workspace.filesPath).filter((path) => !known.has(path));
  for (const path of theirs) objects.setAside(path, now);
  for (const { path, kind, sha256 } of damaged) {
    if (kind === 'project' && objects.has(sha256)) objects.setAside(path, now);
  }
  const movedAside = [...ours, ...theirs];
  const missing = damaged.filter(({ path, sha256 }) => !objects.restoreFile(path, sha256)).map(({ path }) => path);
  const tasks = [...wanted.map(({ path }) => path), ...movedAside].flatMap(
    (path) => /^tasks\/([^/]+)\//.exec(path)?.[1] ?? [],
  );
  for (const task of new Set(tasks)) writeTaskFiles(rm, task);
  const restored = damaged.map(({ path }) => path).filter((path) => !missing.includes(path));
  return { restored: restored, moved_aside: movedAside, missing };
}

/**
 * Replaces the database with a backup; no process may have it open. The caller then opens it and calls `settleFiles`.
 */
export async function restoreFrom(
  workspace: Workspace,
  backupPath: string,
  at: string | undefined,
): Promise<{ readonly kept: string | undefined }> {
  const revision =
    at === undefined
      ? undefined
      : await inspectBackup(backupPath, (store) =>
          /^\d+$/.test(at) ? Number(at) : revisionAtTime(store, Date.parse(at)),
        );
  const { kept } = await replaceWithBackup(workspace.databasePath, backupPath, revision);
  return { kept };
}

/** Finds a backup by path, or by name in the backup folder of the workspace. */
export async function findBackup(
  directory: string,
  from: string,
): Promise<{ readonly workspace: Workspace; readonly path: string }> {
  const root = findRoot(directory);
  const workspace = workspaceAt(root, await loadConfig(join(root, 'ringmaster.toml')));
  const path = fileExists(from) ? resolve(from) : join(workspace.filesPath, 'backups', from);
  if (fileExists(path)) return { workspace, path };
  throw ringmasterErrors.FILE_UNREADABLE(`There is no backup ${from}`, {
    hint: "'ringmaster backup list' lists the backups.",
  });
}

/** Undoes the last change by a person, as a new commit. A second call undoes the change before that one. */
export async function undo(rm: Ringmaster): Promise<UndoTarget> {
  const call = callOf(rm);
  const target = lastUndoable(rm.store);
  if (target === undefined) throw ringmasterErrors.NOTHING_TO_UNDO('There is nothing to undo');
  await rm.store.write(`undo of ${target.revision}: ${target.note}`, (tx) => {
    undoRows(tx, target);
    const data = { revision: target.revision, note: target.note };
    recordEvent(tx, call, { type: 'undo_performed', entity: 'store', id: String(target.revision), data });
  });
  return target;
}
