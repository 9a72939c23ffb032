import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { holdfastHome } from '@holdfast/base';

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
  return { path, name: databaseNames.find((name) => pathOf(name) === path) };
}

export function existingDatabases(env: Environment): DatabasePlace[] {
  return databaseNames.map((name) => databasePlace(name, env)).filter(({ path }) => existsSync(path));
}

/** Where `holdfast backup` puts the backups of a database when it is not told. */
export function backupFolder({ path, name }: DatabasePlace, env: Environment): string {
  return name === undefined ? join(path, '..', 'backups') : join(holdfastHome(env), 'backups', name);
}
