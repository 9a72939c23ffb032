import { readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
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
 * Resolves when the files of closed connections to this database are closed and unlocked.
 *
 * The package finalises prepared statements only on garbage collection, and SQLite keeps the files of a closed
 * connection open and locked until then. A collection of young objects takes 1 ms and usually suffices. A collection of
 * all objects takes 10 to 100 ms, so it runs only if a file is still open. Connections that are closed in the same turn
 * share one such collection.
 */
export async function closedFilesReleased(path: string): Promise<void> {
  if (isBuiltIn) return;
  collectGarbage({ type: 'minor' });
  // The finalisers run in the turn after the collection.
  await nextTurn();
  if (!mayBeOpen(path)) return;
  nextCollection ??= nextTurn().then(() => {
    nextCollection = undefined;
    // Passes no options, because V8 keeps some of the statements with `type: 'major'`.
    collectGarbage();
    return nextTurn();
  });
  await nextCollection;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

let gc: ((options?: { readonly type: 'minor' }) => void) | undefined;

function collectGarbage(...options: Parameters<NonNullable<typeof gc>>): void {
  setFlagsFromString('--expose-gc');
  gc ??= runInNewContext('gc') as NonNullable<typeof gc>;
  gc(...options);
}

const OPEN_FILES = '/proc/self/fd';

/**
 * Returns true if this process has the file, or its `-wal` or `-shm` file, open; also returns true if the system has no
 * /proc.
 */
function mayBeOpen(path: string): boolean {
  try {
    const real = join(realpathSync(dirname(path)), basename(path));
    return readdirSync(OPEN_FILES).some((descriptor) => linkTarget(join(OPEN_FILES, descriptor)).startsWith(real));
  } catch {
    return true;
  }
}

function linkTarget(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    // The descriptor has been closed in the meantime. The descriptor that was used to list the folder always has been.
    return '';
  }
}
