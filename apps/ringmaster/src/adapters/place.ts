import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';

import type { Config } from '../model/config.ts';
import { ringmasterErrors } from '../model/errors.ts';

/** Where a project keeps its state. */
export interface Place {
  /** The directory that has ringmaster.toml and .ringmaster. */
  readonly root: string;
  readonly databasePath: string;
  readonly filesPath: string;
}

/** The nearest directory, here or above, that has been initialised. */
export function findRoot(start: string): string {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.ringmaster')) || existsSync(join(folder, 'ringmaster.toml'))) return folder;
    if (folder === dirname(folder)) {
      throw ringmasterErrors.NOT_INITIALISED(`There is no .ringmaster in ${resolve(start)} or above it`);
    }
  }
}

export function placeOf(root: string, { storage }: Config): Place {
  const below = (path: string): string => (isAbsolute(path) ? path : join(root, path));
  return { root, databasePath: below(storage.db_path), filesPath: below(storage.files_path) };
}
