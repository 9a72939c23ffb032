import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Driver = Pick<typeof import('@photostructure/sqlite'), 'DatabaseSync' | 'backup'>;

export type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';

/**
 * The only file that chooses the SQLite driver. Node 24 and later have a current SQLite built in. For older versions of
 * Node, we use a package with the same API, which the build bundles (see scripts/build/native.mjs).
 */
const isBuiltIn = Number(process.versions.node.split('.', 1)[0]) >= 24;
const driver = (
  isBuiltIn ? process.getBuiltinModule('node:sqlite') : createRequire(import.meta.url)('@photostructure/sqlite')
) as Driver;

export const { DatabaseSync, backup } = driver;

/** For example `3.53.4, built into Node`. */
export function sqliteVersion(): string {
  const database = new DatabaseSync(':memory:');
  const row = database.prepare('SELECT sqlite_version() AS version').get();
  database.close();
  return `${String(row?.['version'])}, ${isBuiltIn ? 'built into Node' : 'from @photostructure/sqlite'}`;
}

let nextCollection: Promise<void> | undefined;

/**
 * Resolves when the files of closed connections are closed and unlocked.
 *
 * The package finalises prepared statements only on garbage collection, and SQLite keeps a closed connection's files
 * open and locked until then. So this forces a collection, which takes 30 ms or more. Connections that are closed in
 * the same turn share one.
 */
export async function closedFilesReleased(): Promise<void> {
  if (isBuiltIn) return;
  nextCollection ??= nextTurn().then(() => {
    nextCollection = undefined;
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
    // The finalisers run in the turn after the collection.
    return nextTurn();
  });
  await nextCollection;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
