import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * The only file that imports the SQLite driver. It has the API of `node:sqlite`, so moving to the built-in module
 * changes only this line.
 */
export { DatabaseSync, backup } from '@photostructure/sqlite';
export type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';

/**
 * Resolves when the files of closed connections are closed and unlocked.
 *
 * This driver finalises prepared statements only on garbage collection, and SQLite keeps a closed connection's files
 * open and locked until then. So this forces a collection; the driver's part runs at the end of the turn.
 * (`node:sqlite` needs none of it.)
 */
export async function closedFilesReleased(): Promise<void> {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  await new Promise((resolve) => setImmediate(resolve));
}
