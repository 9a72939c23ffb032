import { existsSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { audiobookErrors } from '../model/errors.ts';

/** The real path of a folder that is to be a library. */
export function libraryRoot(path: string): string {
  const root = resolve(path);
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw audiobookErrors.LIBRARY_NOT_FOUND(`${root} is not a folder.`, {
      hint: 'Name a folder with audiobooks in it.',
    });
  }
  return realpathSync.native(root);
}

/** Whether there is something at a path of a library now. */
export function existsIn(root: string): (path: string) => boolean {
  return (path) => existsSync(join(root, path));
}
