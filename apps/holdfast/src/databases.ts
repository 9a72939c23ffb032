import { join } from 'node:path';

import { holdfastHome } from '@holdfast/base';
import type { Candidate, CompletionRequest } from '@holdfast/cli';
import { databaseNames, locateDatabase, storeExists, type StoreLocation } from '@holdfast/hub/databases';

type Environment = Readonly<Record<string, string | undefined>>;

export function databaseAt(given: string, env: Environment): StoreLocation {
  return locateDatabase(given, holdfastHome(env), env);
}

export function existingDatabases(env: Environment): StoreLocation[] {
  return databaseNames.map((name) => databaseAt(name, env)).filter(storeExists);
}

/** Returns the default folder for `holdfast backup`. */
export function backupFolder({ path, name }: StoreLocation, env: Environment): string {
  return name === undefined ? join(path, '..', 'backups') : join(holdfastHome(env), 'backups', name);
}

export function complete({ env }: CompletionRequest): Candidate[] {
  return existingDatabases(env).flatMap(({ name, path }) =>
    name === undefined ? [] : [{ value: name, summary: path }],
  );
}
