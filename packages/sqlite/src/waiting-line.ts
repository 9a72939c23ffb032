import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';

import { SECOND, systemErrorCode } from '@holdfast/base';

/**
 * The processes that wait for a write lock, in order of arrival.
 *
 * Each waiting process has an empty file, its ticket, in a folder next to the database. The folder exists only while a
 * process waits. Only SQLite's lock protects the data; the order is advisory. A ticket is ignored if its process is
 * gone or has not renewed it, so a killed or stopped process does not delay others for long.
 */
export class WaitingLine {
  readonly #folder: string;
  readonly #own = new Set<string>();
  #tickets = 0;

  constructor(databasePath: string) {
    this.#folder = `${databasePath}-queue`;
  }

  /** Adds a ticket and returns its name; undefined if the folder cannot be written, for example on a full disk. */
  join(arrivedAt: number): string | undefined {
    this.#tickets += 1;
    const ticket = [String(arrivedAt).padStart(TIME_DIGITS, '0'), process.pid, this.#tickets].join('-');
    if (!this.renew(ticket)) return undefined;
    this.#own.add(ticket);
    return ticket;
  }

  /** Marks a ticket as still in use; creates it again if it was removed. Returns whether it exists. */
  renew(ticket: string): boolean {
    const now = new Date();
    try {
      utimesSync(this.#path(ticket), now, now);
      return true;
    } catch {
      return this.#create(ticket);
    }
  }

  leave(ticket: string): void {
    this.#own.delete(ticket);
    this.#remove(ticket);
  }

  /** Returns whether this process has the ticket. */
  owns(ticket: string): boolean {
    return this.#own.has(ticket);
  }

  /** Returns the tickets in order, beginning with the first live one; empty if no process waits. */
  tickets(): readonly string[] {
    // Checks first, because every write calls this method, and reading a missing folder would throw, which takes ten
    // times as long.
    if (!existsSync(this.#folder)) return [];
    const all = this.#read();
    const first = all.findIndex((ticket) => this.#isLive(ticket));
    return first < 0 ? [] : all.slice(first);
  }

  #read(): readonly string[] {
    try {
      return readdirSync(this.#folder).sort();
    } catch {
      return [];
    }
  }

  #isLive(ticket: string): boolean {
    if (this.#own.has(ticket)) return true;
    if (!isRunning(Number(ticket.split('-')[1]))) {
      this.#remove(ticket);
      return false;
    }
    const renewedAt = statSync(this.#path(ticket), { throwIfNoEntry: false })?.mtimeMs;
    return renewedAt !== undefined && Math.abs(Date.now() - renewedAt) < IGNORED_AFTER_MS;
  }

  #create(ticket: string): boolean {
    // Repeats both steps, because the last waiting process may remove the folder in between.
    for (let attempt = 0; attempt < CREATE_ATTEMPTS; attempt++) {
      try {
        mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
        writeFileSync(this.#path(ticket), '');
        return true;
      } catch (error) {
        if (systemErrorCode(error) !== 'ENOENT') return false;
      }
    }
    return false;
  }

  #remove(ticket: string): void {
    try {
      rmSync(this.#path(ticket), { force: true });
      rmdirSync(this.#folder);
    } catch {
      // Other processes still wait, or have just removed the folder.
    }
  }

  #path(ticket: string): string {
    return `${this.#folder}/${ticket}`;
  }
}

const TIME_DIGITS = 15;
const CREATE_ATTEMPTS = 5;
/** Longer than the time between two renewals, even on a busy machine. */
const IGNORED_AFTER_MS = 5 * SECOND;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemErrorCode(error) === 'EPERM';
  }
}
