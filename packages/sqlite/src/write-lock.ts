import { delay, monotonicClock, SECOND } from '@holdfast/base';

import type { Connection } from './connection.ts';
import { isBusy, storeErrors, toStoreError } from './errors.ts';
import { WaitingLine } from './waiting-line.ts';

/**
 * Takes SQLite's write lock fairly.
 *
 * SQLite's busy handler waits up to 100 ms between retries, but a writing process takes the lock again within
 * microseconds: in a test, one of four processes got a single commit in three seconds. Here every waiting process
 * retries after a random pause, so all have the same chance. Frequent retries slow down the process that holds the
 * lock; with a hundred processes, hardly any would commit. So a process that has waited for a long time takes a ticket,
 * and only the first few tickets retry, in order of arrival. Waiting is asynchronous.
 */

export interface LockSettings {
  /** `acquire` throws STORE_BUSY if no process commits for this long. */
  readonly timeoutMs: number;
  readonly pauseMinMs: number;
  readonly pauseMaxMs: number;
  /** A process that has waited this long takes a ticket. */
  readonly impatientAfterMs: number;
}

/** Upper bound of the first pause. */
const PAUSE_FIRST_MS = 6;

/**
 * Number of waiting processes that retry at the same time. With only one, a released lock would stay unused until that
 * process wakes up, which takes a long time on a busy machine.
 */
const IN_FRONT = 4;

/** Pause per ticket that is ahead in the line, and the longest such pause. */
const PAUSE_PER_TICKET_MS = 3;
const PAUSE_IN_LINE_MAX_MS = 100;

export const defaultLock: LockSettings = { timeoutMs: 30 * SECOND, pauseMinMs: 1, pauseMaxMs: 6, impatientAfterMs: 60 };

export class WriteLock {
  readonly #connection: Connection;
  readonly #settings: LockSettings;
  readonly #busyTimeoutMs: number;
  readonly #line: WaitingLine;

  constructor(connection: Connection, settings: LockSettings, busyTimeoutMs: number) {
    this.#connection = connection;
    this.#settings = settings;
    this.#busyTimeoutMs = busyTimeoutMs;
    this.#line = new WaitingLine(connection.path);
  }

  /** Begins a write transaction; the caller commits or rolls back without awaiting. */
  async acquire(): Promise<void> {
    const ticket = await this.#wait(Date.now(), undefined, () => this.tryAcquire());
    if (ticket !== undefined) this.#line.leave(ticket);
  }

  /**
   * Resolves when this process is among the first in line, and holds its place until the returned function is called.
   * Used for work that is lost if another process commits first.
   */
  async turn(arrivedAt: number): Promise<() => void> {
    const isShort = this.#line.tickets().length < IN_FRONT;
    const joined = isShort ? undefined : this.#line.join(arrivedAt);
    const ticket = await this.#wait(arrivedAt, joined, () => true);
    return () => {
      if (ticket !== undefined) this.#line.leave(ticket);
    };
  }

  /**
   * Calls `ready` whenever this process may retry, until `ready` returns true. Returns the ticket of this process,
   * which is still in the line; undefined if the process has none.
   */
  async #wait(arrivedAt: number, joined: string | undefined, ready: () => boolean): Promise<string | undefined> {
    const started = monotonicClock();
    const { timeoutMs, impatientAfterMs } = this.#settings;
    let ticket = joined;
    let progress = { version: 0, at: started };
    try {
      for (;;) {
        const tickets = this.#line.tickets();
        const own = tickets.findIndex((each) => this.#line.owns(each));
        const ahead = own < 0 ? tickets.length : own;
        if (ahead < IN_FRONT && ready()) return ticket;
        const now = monotonicClock();
        const version = this.#commitsSeen();
        if (version !== progress.version) progress = { version, at: now };
        if (now - progress.at > timeoutMs) throw this.#busy(own < 0 ? tickets.length + 1 : tickets.length);
        if (ticket !== undefined) this.#line.renew(ticket);
        else if (now - started >= impatientAfterMs) ticket = this.#line.join(arrivedAt);
        await (ahead < IN_FRONT ? pause(this.#settings, now - started) : pauseInLine(ahead));
      }
    } catch (error) {
      if (ticket !== undefined) this.#line.leave(ticket);
      throw error;
    }
  }

  tryAcquire(): boolean {
    const connection = this.#connection;
    // Turns the timeout off only for this statement, because reads on this connection need it.
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

  /** Changes with every commit by another process. */
  #commitsSeen(): number {
    return (this.#connection.prepareArrays('PRAGMA data_version').get() as [number])[0];
  }

  #busy(waiting: number): Error {
    const seconds = this.#settings.timeoutMs / SECOND;
    const others = waiting === 1 ? 'no other process waits' : `${waiting} processes wait`;
    return storeErrors.STORE_BUSY(
      `${this.#connection.path}: no commit for ${seconds} s while waiting for the write lock; ${others}`,
      {
        details: { waiting },
      },
    );
  }
}

/**
 * Waits for a random time. The upper bound starts at 6 ms, because most commits are short, and grows with the time
 * waited so far, up to `pauseMaxMs`. After `impatientAfterMs`, when only the first few tickets retry, the upper bound
 * is twice `pauseMinMs`.
 */
function pause({ pauseMinMs, pauseMaxMs, impatientAfterMs }: LockSettings, waitedMs: number): Promise<void> {
  const longest =
    waitedMs < impatientAfterMs ? Math.min(pauseMaxMs, Math.max(PAUSE_FIRST_MS, 2 * waitedMs)) : 2 * pauseMinMs;
  return delay(pauseMinMs + Math.random() * (longest - pauseMinMs));
}

function pauseInLine(ahead: number): Promise<void> {
  return delay(Math.min((ahead - IN_FRONT + 1) * PAUSE_PER_TICKET_MS, PAUSE_IN_LINE_MAX_MS));
}
