import { dirname, join } from 'node:path';

import { type DeviceOf, isNotebook, makeOwnFolder, notebookMissing } from '../adapters/notebook-folder.ts';
import { stateOnDisk } from '../adapters/watch-scan.ts';
import { codexErrors } from '../model/errors.ts';
import type { Notebook } from '../model/notebook.ts';
import { isBelow } from '../model/path.ts';
import type { Store, Transaction } from '../store/open.ts';
import { dropDisk, knownDisks, knownFilesBelow, putDisk } from '../store/watch-index.ts';

/**
 * Returns recorded mount points that are not mounted now: the folder is missing or on its parent's device, and some of
 * its indexed files are missing. If all files are there, somebody has copied them into the folder.
 */
export function unmountedDisks(tx: Transaction, notebook: Notebook, deviceOf: DeviceOf): readonly string[] {
  return knownDisks(tx, notebook.id).filter(
    (path) =>
      !isDisk(notebook.path, path, deviceOf) &&
      knownFilesBelow(tx, notebook.id, path).some((file) => stateOnDisk(notebook.path, file.path) === undefined),
  );
}

function isDisk(root: string, path: string, deviceOf: DeviceOf): boolean {
  const place = join(root, path);
  const device = deviceOf(place);
  return device !== undefined && device !== deviceOf(dirname(place));
}

/**
 * Returns true if the state of a path is unknown because a disk is not mounted. For a folder above the mount point,
 * returns true only if the folder is missing.
 */
export function isOnUnmountedDisk(path: string, isGone: boolean, away: readonly string[]): boolean {
  return away.some((disk) => path === disk || isBelow(path, disk) || (isGone && isBelow(disk, path)));
}

export function diskUnmounted(notebook: Notebook, [disk = '', ...others]: readonly string[]): Error {
  const more = others.length === 0 ? '' : `; also not mounted: ${others.length} more`;
  return codexErrors.DISK_AWAY(`The disk in ${join(notebook.path, disk)} is not mounted${more}`);
}

/** Updates the recorded mount points before their files are indexed. Returns the recorded ones that are not mounted. */
export async function recordDisks(
  store: Store,
  notebook: Notebook,
  mounted: readonly string[],
  { deviceOf, withoutDisks }: { readonly deviceOf: DeviceOf; readonly withoutDisks: boolean },
): Promise<readonly string[]> {
  const away = withoutDisks ? [] : unmountedDisks(store.reader, notebook, deviceOf);
  const kept = new Set([...mounted, ...away]);
  const known = new Set(knownDisks(store.reader, notebook.id));
  const outdated = [...known].filter((path) => !kept.has(path) && !isDisk(notebook.path, path, deviceOf));
  const found = mounted.filter((path) => !known.has(path));
  if (outdated.length + found.length === 0) return away;
  await store.write('codex disks', (tx) => {
    for (const path of found) putDisk(tx, notebook.id, path);
    for (const path of outdated) dropDisk(tx, notebook.id, path);
  });
  return away;
}

interface MountedPaths {
  readonly reader: Transaction;
  readonly notebook: Notebook;
  readonly deviceOf: DeviceOf;
}

/** Throws while a path is on a disk that is not mounted. The operation is retried until the disk is mounted. */
export function requireMounted(
  { reader, notebook, deviceOf }: MountedPaths,
  ...paths: readonly (string | null)[]
): void {
  const away = unmountedDisks(reader, notebook, deviceOf);
  if (paths.some((path) => path !== null && isOnUnmountedDisk(path, true, away))) throw diskUnmounted(notebook, away);
}

/**
 * Throws while the notebook's folder is missing. If `git clean` or a copy removed the notebook's mark, restores the
 * mark, but only if a known file proves that the folder is not an empty mount point.
 */
export function requireFolder(tx: Transaction, { id, path }: Notebook): void {
  if (isNotebook(path)) return;
  const isThere = knownFilesBelow(tx, id, '').some((file) => stateOnDisk(path, file.path)?.kind === 'file');
  if (!isThere) throw notebookMissing(path);
  makeOwnFolder(path);
}
