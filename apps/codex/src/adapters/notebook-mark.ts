import { lstatSync } from 'node:fs';
import { join } from 'node:path';

import { codexErrors } from '../model/errors.ts';

/** Made with the notebook and by nothing else, so that it is missing where a disk would have to be mounted. */
export const MARK = '.codex/.gitignore';

/** Whether there is a notebook at this place, and not nothing or just any folder. */
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

/** Changes when something else stands at this place: another disk, another folder, or a folder that is no notebook. */
export function identityAt(folder: string): string {
  try {
    const { dev, ino, birthtimeNs } = lstatSync(folder, { bigint: true });
    return [dev, ino, birthtimeNs, isNotebook(folder)].join();
  } catch {
    return 'nothing';
  }
}
