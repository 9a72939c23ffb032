import { dirname, join } from 'node:path';

import type { DeviceOf } from '../adapters/devices.ts';
import { lookAt } from '../adapters/watch-scan.ts';
import { codexErrors } from '../model/errors.ts';
import type { Notebook } from '../model/notebook.ts';
import { isBelow } from '../model/path.ts';
import { knownDisks } from '../store/disks.ts';
import type { Tx } from '../store/open.ts';
import { knownFilesBelow } from '../store/watch-index.ts';

/**
 * Folders of a notebook that are disks of their own and are not mounted now: they lie on the device of the folder around
 * them, or are missing, and so are files that the index knows there. Where every file is, somebody has copied them.
 */
export function awayDisks(tx: Tx, notebook: Notebook, deviceOf: DeviceOf): readonly string[] {
  return knownDisks(tx, notebook.id).filter(
    (path) =>
      !isDisk(notebook.path, path, deviceOf) &&
      knownFilesBelow(tx, notebook.id, path).some((file) => lookAt(notebook.path, file.path) === undefined),
  );
}

export function isDisk(root: string, path: string, deviceOf: DeviceOf): boolean {
  const place = join(root, path);
  const device = deviceOf(place);
  return device !== undefined && device !== deviceOf(dirname(place));
}

/** Whether what is seen at a path says nothing about the files of the notebook. What holds the disk may only not be gone. */
export function isHidden(path: string, isGone: boolean, away: readonly string[]): boolean {
  return away.some((disk) => path === disk || isBelow(path, disk) || (isGone && isBelow(disk, path)));
}

export function diskAway(notebook: Notebook, [disk = '', ...others]: readonly string[]): Error {
  const more = others.length === 0 ? '' : `, nor are ${others.length} others`;
  return codexErrors.DISK_AWAY(`The disk in ${join(notebook.path, disk)} is not mounted${more}`);
}
