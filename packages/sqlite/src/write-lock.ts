import { delay, SECOND } from '@holdfast/base';

import type { Connection } from './connection.ts';
import { isBusy, storeErrors, toStoreError } from './errors.ts';

/**
 * SQLite's write lock, taken fairly.
 *
 * SQLite's own busy handler backs off up to 100 ms while a process that is writing takes the lock again within
 * microseconds: of four processes, one got a single commit in three seconds. Here every waiter tries again after a
 * random pause, so each has the same chance at each commit. Trying too often would cost the process that works; so
 * pauses are some milliseconds long, and only who has waited long tries as often as it can. The pause is asynchronous:
 * waiting blocks nobody in this process.
 */

export interface LockSettings {
  /** Give up with STORE_BUSY after this long. */
  readonly timeoutMs: number;
  readonly pauseMinMs: number;
  readonly pauseMaxMs: number;
  /** After this long, a waiter retries without pauses. */
  readonly impatientAfterMs: number;
}

/** However long pauses may become, the first is no longer than this. */
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

  /** Begins a write transaction; the caller commits or rolls back without awaiting anything. */
  async acquire(): Promise<void> {
    const started = performance.now();
    while (!this.tryAcquire()) {
      if (performance.now() - started > this.#settings.timeoutMs) {
        throw storeErrors.STORE_BUSY(
          `${this.#connection.path}: the write lock was not free within ${this.#settings.timeoutMs / SECOND} s`,
        );
      }
      await pause(this.#settings, performance.now() - started);
    }
  }

  tryAcquire(): boolean {
    const connection = this.#connection;
    // The timeout is per connection and must stay on for reads, which cannot wait in our way.
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

/** Soon at first, as most commits are short; where the settings allow it less often later, until patience ends. */
function pause({ pauseMinMs, pauseMaxMs, impatientAfterMs }: LockSettings, waitedMs: number): Promise<void> {
  const longest =
    waitedMs < impatientAfterMs ? Math.min(pauseMaxMs, Math.max(PAUSE_FIRST_MS, 2 * waitedMs)) : 2 * pauseMinMs;
  return delay(pauseMinMs + Math.random() * (longest - pauseMinMs));
}
