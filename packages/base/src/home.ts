import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

import { writeFileDurablySync } from './durable-file.ts';
import { defineErrors, type ErrorTable, permissionErrors } from './errors.ts';
import { systemErrorCode } from './system-error.ts';

export const homeErrors: ErrorTable<'STORES_UNREADABLE'> = defineErrors({
  STORES_UNREADABLE: {
    kind: 'failed',
    means: 'The file stores.json in the data home, which lists the databases that were moved, is damaged.',
    hint:
      'Correct the file. It must contain a JSON object that gives, for each moved database, its PostgreSQL address ' +
      'or "file".',
  },
});

/** Returns the data home: HOLDFAST_HOME, else $XDG_DATA_HOME/holdfast, else ~/.local/share/holdfast. */
export function holdfastHome(env: Readonly<Record<string, string | undefined>>): string {
  const chosen = env['HOLDFAST_HOME'];
  if (chosen !== undefined && chosen !== '') return resolve(chosen);
  const data = env['XDG_DATA_HOME'];
  // The XDG specification requires absolute paths; programs must ignore others.
  if (data !== undefined && data.startsWith('/')) return join(data, 'holdfast');
  return join(env['HOME'] ?? homedir(), '.local', 'share', 'holdfast');
}

/** Written by `holdfast move`: the current location of each database that was moved. */
const STORES_FILE = 'stores.json';
const IN_A_FILE = 'file';

/**
 * Returns the address of the PostgreSQL server that holds a keyspace, or undefined if the keyspace is a file in the
 * data home. A moved database is at its new location; all others are at HOLDFAST_STORE, if set.
 */
export function storeAddress(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  const moved = movedStores(home).get(name);
  if (moved !== undefined) return moved === IN_A_FILE ? undefined : moved;
  const address = env['HOLDFAST_STORE'];
  return address === '' ? undefined : address;
}

/** Durably records the new location of a moved database. An undefined address means a file in the data home. */
export function rememberStore(home: string, name: string, address: string | undefined): void {
  const stores = new Map(movedStores(home)).set(name, address ?? IN_A_FILE);
  writeFileDurablySync(join(home, STORES_FILE), `${JSON.stringify(Object.fromEntries(stores), undefined, 2)}\n`);
}

/** Throws if the file is damaged. Ignoring it would make a command use another, perhaps empty, database. */
function movedStores(home: string): ReadonlyMap<string, string> {
  const path = join(home, STORES_FILE);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return new Map();
    if (code !== 'EACCES') throw error;
    throw permissionErrors.STORE_PERMISSION(`${path} cannot be read (${code})`, { cause: error });
  }
  try {
    const entries = Object.entries(JSON.parse(text) as object);
    if (entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')) return new Map(entries);
  } catch {
    // Invalid JSON is reported below, like a value that is not text.
  }
  throw homeErrors.STORES_UNREADABLE(`${path} is damaged`);
}
