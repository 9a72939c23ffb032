import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { storeAddress } from '@holdfast/base';
import { storeErrors } from '@holdfast/sqlite';

import { type DatabaseName, databaseNames } from '../model/database-names.ts';
import { openFileStore, openPostgresStore, type Store } from './store.ts';

export { type DatabaseName, databaseNames };
export { openFileStore, type Store, type StoreCommit, type StoreProblem } from './store.ts';

/** Databases that can be on PostgreSQL. All other databases are tied to the disk of one machine. */
export const movable: ReadonlySet<DatabaseName> = new Set<DatabaseName>(['np', 'audiobooks', 'accounts']);

export interface StoreLocation {
  readonly path: string;
  /** Undefined if the path belongs to no named database. */
  readonly name: DatabaseName | undefined;
  /** Address of the PostgreSQL server that holds the database instead of the file. */
  readonly address: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Finds a database by its name or path. */
export function locateDatabase(given: string, home: string, env: Environment): StoreLocation {
  const pathOf = (name: string): string => join(home, `${name}.db`);
  const named = databaseNames.find((name) => name === given);
  if (named !== undefined) {
    return {
      path: pathOf(named),
      name: named,
      address: movable.has(named) ? storeAddress(home, env, named) : undefined,
    };
  }
  const path = resolve(given);
  // Treats a single word that is not a file as a misspelt database name.
  if (/^[\w-]+$/u.test(given) && !existsSync(path)) {
    throw storeErrors.STORE_NOT_FOUND(`No database or file has the name ${given}`, {
      hint: `Use one of ${databaseNames.join(', ')}, or the path of a database file.`,
    });
  }
  return { path, name: databaseNames.find((name) => pathOf(name) === path), address: undefined };
}

export function openStoreAt({ path, name, address }: StoreLocation): Promise<Store> {
  return address === undefined || name === undefined ? openFileStore(path) : openPostgresStore(address, name);
}

export function storeExists({ path, address }: StoreLocation): boolean {
  return address !== undefined || existsSync(path);
}

/** The databases of a data home, opened on first use and kept open. Finds databases created later too. */
export class Databases {
  readonly home: string;
  readonly #env: Environment;
  readonly #open = new Map<DatabaseName, Promise<Store>>();

  constructor(home: string, env: Environment) {
    this.home = home;
    this.#env = env;
  }

  /** Names of existing databases. */
  names(): readonly DatabaseName[] {
    return databaseNames.filter((name) => storeExists(this.locate(name)));
  }

  async get(name: DatabaseName): Promise<Store> {
    const known = this.#open.get(name);
    if (known !== undefined) return known;
    const location = this.locate(name);
    if (!storeExists(location)) throw storeErrors.STORE_NOT_FOUND(`The database ${name} does not exist yet`);
    const opening = openStoreAt(location);
    this.#open.set(name, opening);
    // Forgets the failure, so that the next call tries to open the database again.
    opening.catch(() => this.#open.delete(name));
    return opening;
  }

  async close(options?: { readonly processIsEnding?: boolean }): Promise<void> {
    const opened = await Promise.allSettled(this.#open.values());
    this.#open.clear();
    await Promise.all(opened.flatMap((store) => (store.status === 'fulfilled' ? [store.value.close(options)] : [])));
  }

  locate(name: DatabaseName): StoreLocation {
    return locateDatabase(name, this.home, this.#env);
  }
}
