import { statSync } from 'node:fs';
import { MEBIBYTE } from '@holdfast/base';
import type { Store } from './open.ts';

const LOG_BYTES_MAX: number = MEBIBYTE;

/**
 * What a command does with the store when it is about to end.
 *
 * Closing the last connection moves SQLite's write-ahead log into the database, which takes 10 to 20 ms: a quarter of
 * a whole command. Nothing is lost without it, because every commit is on disk in that log, but whoever opens the
 * database next has to read the log first. So it is only closed when that has become noticeable.
 */
export async function leaveStore(store: Store, path: string): Promise<void> {
  if (logBytes(path) > LOG_BYTES_MAX) await store.close();
}

function logBytes(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}
