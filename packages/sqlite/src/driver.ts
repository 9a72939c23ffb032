import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * The only file that knows which SQLite driver is in use. It speaks Node's own `node:sqlite` API, so that moving to
 * the built-in module, once Node 20 is gone, is a change of this line.
 */
export { DatabaseSync, backup } from '@photostructure/sqlite';
export type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';

/**
 * Resolves when the files of closed connections are closed and their locks gone.
 *
 * This driver finalises a prepared statement only when it is collected as garbage, and SQLite keeps a closed
 * connection's files open and locked until its last statement is finalised. So we have to ask for a collection; the
 * driver's part of it runs at the end of this turn. (`node:sqlite` does it by itself.)
 */
export async function closedFilesReleased(): Promise<void> {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  await new Promise((resolve) => setImmediate(resolve));
}
