import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

import { SECOND } from '@holdfast/base';

import type { Connection } from './connection.ts';

/**
 * Tells that something was committed, by this process or another.
 *
 * The file system is a hint, `PRAGMA data_version` is the truth. A write to the `-wal` file wakes us, but it comes
 * before the commit is visible (the fsync and the publication of the commit follow it), so one look is not enough:
 * after a hint we look again at growing intervals until the version has moved. A slow poll catches what the file system
 * did not tell. The folder is watched rather than the `-wal`, which disappears with the last connection and comes back.
 */

export interface SignalSettings {
  readonly pollMs: number;
  /** When to look again after a hint that was not yet true. */
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

  /** Calls back after commits, possibly once for several. A listener keeps the process alive until it is removed. */
  subscribe(listener: () => void): () => void {
    // Wrapped, so that the same function may subscribe twice.
    const entry = (): void => listener();
    if (this.#listeners.size === 0) this.#start();
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
      if (this.#listeners.size === 0) this.close();
    };
  }

  /** This process's own commits do not move its own `data_version`. */
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

  /** The system may have no watches left to give; the poll does without. */
  #watchFolder(): FSWatcher | undefined {
    const wal = `${basename(this.#connection.path)}-wal`;
    try {
      const watcher = watch(dirname(this.#connection.path), (_event, name) => {
        if (name === wal) this.#hint();
      });
      // The folder may be deleted under us; the poll then reports what the connection says.
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
        // Reported as what it is, an uncaught exception; the writer and the other listeners go on.
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
