import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { holdfastHome } from '@holdfast/base';
import { storeErrors } from '@holdfast/sqlite';

type Environment = Readonly<Record<string, string | undefined>>;

/** The databases that have a name. Everything else is given as a path. */
const databaseNames = ['np', 'utask', 'codex', 'audiobooks', 'accounts'] as const;
export type DatabaseName = (typeof databaseNames)[number];

export interface DatabasePlace {
  readonly path: string;
  /** Set when the database was given by name, or the path is that of a named one. */
  readonly name: DatabaseName | undefined;
}

export function databasePlace(given: string, env: Environment): DatabasePlace {
  const home = holdfastHome(env);
  const pathOf = (name: string): string => join(home, `${name}.db`);
  const named = databaseNames.find((name) => name === given);
  if (named !== undefined) return { path: pathOf(named), name: named };
  const path = resolve(given);
  // A bare word that is no file was meant as a name.
  if (/^[\w-]+$/u.test(given) && !existsSync(path)) {
    throw storeErrors.STORE_NOT_FOUND(`There is no database called ${given}, and no file`, {
      hint: `The names are ${databaseNames.join(', ')}; any other database is given by its path.`,
    });
  }
  return { path, name: databaseNames.find((name) => pathOf(name) === path) };
}

export function existingDatabases(env: Environment): DatabasePlace[] {
  return databaseNames.map((name) => databasePlace(name, env)).filter(({ path }) => existsSync(path));
}

/** Where `holdfast backup` puts the backups of a database when it is not told. */
export function backupFolder({ path, name }: DatabasePlace, env: Environment): string {
  return name === undefined ? join(path, '..', 'backups') : join(holdfastHome(env), 'backups', name);
}
