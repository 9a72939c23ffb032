import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { canonicalForm } from '../model/directory.ts';
import { npErrors } from '../model/errors.ts';

/** Returns the canonical path of a directory, or of the working directory. */
export function canonicalDirectory(path?: string): string {
  let found: string;
  try {
    found = realpathSync.native(path === undefined ? process.cwd() : resolve(path));
  } catch (error) {
    throw npErrors.DIRECTORY_GONE(`The directory ${path ?? '(current)'} does not exist.`, { cause: error });
  }
  if (!statSync(found).isDirectory()) throw npErrors.DIRECTORY_GONE(`${path} is not a directory.`);
  return canonicalForm(found, process.platform);
}
