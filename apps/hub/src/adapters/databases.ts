import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { type Database, openExisting, storeErrors } from '@holdfast/sqlite';

/**
 * The databases of this data home, opened when somebody first asks for one and kept open. One that appears later, because
 * an application is used for the first time, is found when it is there.
 */

export const databaseNames = ['np', 'utask', 'codex', 'audiobooks', 'accounts'] as const;
export type DatabaseName = (typeof databaseNames)[number];

export class Databases {
  readonly #home: string;
  readonly #open = new Map<DatabaseName, Promise<Database>>();

  constructor(home: string) {
    this.#home = home;
  }

  get home(): string {
    return this.#home;
  }

  /** The names of those that exist. */
  names(): readonly DatabaseName[] {
    return databaseNames.filter((name) => existsSync(this.path(name)));
  }

  path(name: DatabaseName): string {
    return join(this.#home, `${name}.db`);
  }

  async get(name: DatabaseName): Promise<Database> {
    const known = this.#open.get(name);
    if (known !== undefined) return known;
    if (!existsSync(this.path(name))) throw storeErrors.STORE_NOT_FOUND(`There is no database ${name} yet`);
    const opening = openExisting(this.path(name));
    this.#open.set(name, opening);
    // One that could not be opened, because it was locked or damaged, is tried again next time.
    opening.catch(() => this.#open.delete(name));
    return opening;
  }

  /** What the file and its log take on disk. */
  sizes(name: DatabaseName): { readonly bytes: number; readonly logBytes: number } {
    return { bytes: sizeOf(this.path(name)), logBytes: sizeOf(`${this.path(name)}-wal`) };
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.#open.values());
    this.#open.clear();
    for (const database of opened) if (database.status === 'fulfilled') await database.value.close();
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
