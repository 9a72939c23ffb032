import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

import { SECOND } from '@holdfast/base';

import type { Connection } from './connection.ts';

/**
 * Signals commits by this or another process.
 *
 * File system events are only hints; `PRAGMA data_version` decides. A process writes to the `-wal` file before its
 * commit is visible. So after a hint, the version is checked again, at growing intervals, until it changes. A slow poll
 * catches missed events. Watches the folder instead of the `-wal`, because SQLite deletes that file with the last
 * connection.
 */

export interface SignalSettings {
  readonly pollMs: number;
  /** Delays between checks after a hint that came before the commit was visible. */
  readonly lookAgainMs: readonly number[];
}

export const defaultSignal: SignalSettings = { pollMs: SECOND, lookAgainMs: [1, 1, 2, 4, 8, 16, 32] };

export class ChangeSignal {
  readonly #connection: Connection;
  readonly #settings: SignalSettings;
  readonly #listeners = new Set<() => void>();
  #watcher: FSWatcher | undefined;
  #poll: NodeJS.Timeout | undefined;
  #look: NodeJS.Timeout | undefined;
  #looks = 0;
  #seen = -1;

  constructor(connection: Connection, settings: SignalSettings = defaultSignal) {
    this.#connection = connection;
    this.#settings = settings;
  }

  /**
   * Calls `listener` after commits, possibly once for several commits; returns an unsubscribe function. The
   * subscription keeps the process alive until this function is called.
   */
  subscribe(listener: () => void): () => void {
    // A new function per call, so that one listener can subscribe twice.
    const entry = (): void => listener();
    if (this.#listeners.size === 0) this.#start();
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
      if (this.#listeners.size === 0) this.close();
    };
  }

  /** Reports a commit by this process, because a process's own commits do not change its `data_version`. */
  committedHere(): void {
    this.#notify();
  }

  close(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    clearInterval(this.#poll);
    clearTimeout(this.#look);
    this.#look = undefined;
    this.#listeners.clear();
  }

  #start(): void {
    this.#seen = this.#version();
    this.#watcher = this.#watchFolder();
    this.#poll = setInterval(() => this.#check(), this.#settings.pollMs);
  }

  /** Returns undefined if the system allows no more watches; polling still works. */
  #watchFolder(): FSWatcher | undefined {
    const wal = `${basename(this.#connection.path)}-wal`;
    try {
      const watcher = watch(dirname(this.#connection.path), (_event, name) => {
        if (name === wal) this.#hint();
      });
      // The folder may be deleted; polling then reports the connection's error.
      watcher.on('error', () => undefined);
      return watcher;
    } catch {
      return undefined;
    }
  }

  #hint(): void {
    this.#looks = 0;
    if (this.#look === undefined) this.#lookNow();
  }

  #lookNow(): void {
    this.#look = undefined;
    if (this.#check()) return;
    const delay = this.#settings.lookAgainMs[this.#looks];
    if (delay === undefined) return;
    this.#looks += 1;
    this.#look = setTimeout(() => this.#lookNow(), delay);
  }

  #check(): boolean {
    if (!this.#connection.isOpen) return false;
    const version = this.#version();
    if (version === this.#seen) return false;
    this.#seen = version;
    this.#notify();
    return true;
  }

  #notify(): void {
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        // An error in a listener becomes an uncaught exception. It affects neither the writer nor other listeners.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  #version(): number {
    const row = this.#connection.prepareArrays('PRAGMA data_version').get() as [number];
    return row[0];
  }
}
