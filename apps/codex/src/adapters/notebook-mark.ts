import { lstatSync } from 'node:fs';
import { join } from 'node:path';

import { codexErrors } from '../model/errors.ts';

/** Created only with the notebook, so it is missing from an empty mount point. */
export const MARK = '.codex/.gitignore';

export function isNotebook(place: string): boolean {
  try {
    return lstatSync(join(place, MARK), { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

export function requireNotebook(folder: string): void {
  if (!isNotebook(folder)) throw notebookAway(folder);
}

export function notebookAway(folder: string, cause?: unknown): Error {
  return codexErrors.NOTEBOOK_AWAY(`The files of the notebook are not in ${folder}`, { cause });
}

/** Changes when another disk or folder takes this path, or when the folder stops being a notebook. */
export function identityAt(folder: string): string {
  try {
    const { dev, ino, birthtimeNs } = lstatSync(folder, { bigint: true });
    return [dev, ino, birthtimeNs, isNotebook(folder)].join();
  } catch {
    return 'nothing';
  }
}
