import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { type Database, openExisting, storeErrors } from '@holdfast/sqlite';

import { type DatabaseName, databaseNames } from '../model/database-names.ts';

export { type DatabaseName, databaseNames };

export interface StoreLocation {
  readonly path: string;
  /** Undefined if the path is not that of a named database. */
  readonly name: DatabaseName | undefined;
}

/** Finds a database by its name or path. */
export function locateDatabase(given: string, home: string): StoreLocation {
  const pathOf = (name: string): string => join(home, `${name}.db`);
  const named = databaseNames.find((name) => name === given);
  if (named !== undefined) return { path: pathOf(named), name: named };
  const path = resolve(given);
  // Treats a single word that is not a file as a misspelt database name.
  if (/^[\w-]+$/u.test(given) && !existsSync(path)) {
    throw storeErrors.STORE_NOT_FOUND(`No database or file has the name ${given}`, {
      hint: `Use one of ${databaseNames.join(', ')}, or the path of a database file.`,
    });
  }
  return { path, name: databaseNames.find((name) => pathOf(name) === path) };
}

/** The databases of a data home, opened on first use and kept open. Finds databases created later too. */
export class Databases {
  readonly home: string;
  readonly #open = new Map<DatabaseName, Promise<Database>>();

  constructor(home: string) {
    this.home = home;
  }

  /** Names of existing databases. */
  names(): readonly DatabaseName[] {
    return databaseNames.filter((name) => existsSync(this.path(name)));
  }

  path(name: DatabaseName): string {
    return join(this.home, `${name}.db`);
  }

  async get(name: DatabaseName): Promise<Database> {
    const known = this.#open.get(name);
    if (known !== undefined) return known;
    if (!existsSync(this.path(name))) throw storeErrors.STORE_NOT_FOUND(`The database ${name} does not exist yet`);
    const opening = openExisting(this.path(name));
    this.#open.set(name, opening);
    // Forgets the failure, so that the next call tries to open the database again.
    opening.catch(() => this.#open.delete(name));
    return opening;
  }

  /** Bytes of the file and of its write-ahead log. */
  sizes(name: DatabaseName): { readonly bytes: number; readonly logBytes: number } {
    return { bytes: sizeOf(this.path(name)), logBytes: sizeOf(`${this.path(name)}-wal`) };
  }

  async close(options?: { readonly processIsEnding?: boolean }): Promise<void> {
    const opened = await Promise.allSettled(this.#open.values());
    this.#open.clear();
    for (const database of opened) if (database.status === 'fulfilled') await database.value.close(options);
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
