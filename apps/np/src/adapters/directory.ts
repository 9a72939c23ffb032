import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { canonicalForm } from '../model/directory.ts';
import { npErrors } from '../model/errors.ts';

/** The canonical path of a directory, or of the working directory. */
export function canonicalDirectory(path?: string): string {
  try {
    return canonicalForm(realpathSync.native(path === undefined ? process.cwd() : resolve(path)), process.platform);
  } catch (error) {
    throw npErrors.DIRECTORY_GONE(`The directory ${path ?? '(current)'} cannot be found.`, { cause: error });
  }
}
