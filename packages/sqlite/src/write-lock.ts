import { delay, SECOND } from '@holdfast/base';

import type { Connection } from './connection.ts';
import { isBusy, storeErrors, toStoreError } from './errors.ts';

/**
 * Takes SQLite's write lock fairly.
 *
 * SQLite's busy handler waits up to 100 ms between retries, while a writing process takes the lock again within
 * microseconds: in a test, one of four processes got a single commit in three seconds. Here every waiter retries after
 * a random pause, so all have the same chance. Pauses take some milliseconds, because frequent retries slow down the
 * process that holds the lock. Long waiters use the shortest pauses. Waiting is asynchronous.
 */

export interface LockSettings {
  /** Throws STORE_BUSY after this long. */
  readonly timeoutMs: number;
  readonly pauseMinMs: number;
  readonly pauseMaxMs: number;
  /** After this long, a waiter pauses for at most twice `pauseMinMs`. */
  readonly impatientAfterMs: number;
}

/** Upper bound of the first pause. */
const PAUSE_FIRST_MS = 6;

export const defaultLock: LockSettings = { timeoutMs: 30 * SECOND, pauseMinMs: 1, pauseMaxMs: 6, impatientAfterMs: 60 };

export class WriteLock {
  readonly #connection: Connection;
  readonly #settings: LockSettings;
  readonly #busyTimeoutMs: number;

  constructor(connection: Connection, settings: LockSettings, busyTimeoutMs: number) {
    this.#connection = connection;
    this.#settings = settings;
    this.#busyTimeoutMs = busyTimeoutMs;
  }

  /** Begins a write transaction; the caller commits or rolls back without awaiting. */
  async acquire(): Promise<void> {
    const started = performance.now();
    while (!this.tryAcquire()) {
      if (performance.now() - started > this.#settings.timeoutMs) {
        throw storeErrors.STORE_BUSY(
          `${this.#connection.path}: could not get the write lock within ${this.#settings.timeoutMs / SECOND} s`,
        );
      }
      await pause(this.#settings, performance.now() - started);
    }
  }

  tryAcquire(): boolean {
    const connection = this.#connection;
    // Switched off only for this statement: reads on this connection need the timeout.
    connection.exec('PRAGMA busy_timeout = 0');
    try {
      connection.prepare('BEGIN IMMEDIATE').run();
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw toStoreError(error, connection.path);
    } finally {
      connection.exec(`PRAGMA busy_timeout = ${this.#busyTimeoutMs}`);
    }
  }
}

/** The longest pause starts at 6 ms, because most commits are short. It grows with the wait up to `pauseMaxMs`. */
function pause({ pauseMinMs, pauseMaxMs, impatientAfterMs }: LockSettings, waitedMs: number): Promise<void> {
  const longest =
    waitedMs < impatientAfterMs ? Math.min(pauseMaxMs, Math.max(PAUSE_FIRST_MS, 2 * waitedMs)) : 2 * pauseMinMs;
  return delay(pauseMinMs + Math.random() * (longest - pauseMinMs));
}
