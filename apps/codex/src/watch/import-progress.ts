import { SECOND } from '@holdfast/base';

import type { WatcherStatus } from '../operations/notebooks.ts';

/** With fewer differences, reading is so fast that nobody needs to see its progress. */
const FILES_MIN = 100;

/** Counts how much of a large comparison is left to read, and estimates how long that takes. */
export class ImportProgress {
  #total = 0;
  #startedAt = 0;

  start(differences: number, now: number): void {
    if (differences < FILES_MIN) return;
    this.#total = differences;
    this.#startedAt = now;
  }

  /** `waiting` counts the files that are not read yet. The import ends when nothing is waiting. */
  at(waiting: number, now: number): WatcherStatus['importing'] {
    if (this.#total === 0) return null;
    if (waiting === 0) {
      this.#total = 0;
      return null;
    }
    // Other programs may add files during the import.
    this.#total = Math.max(this.#total, waiting);
    const done = this.#total - waiting;
    const seconds = (now - this.#startedAt) / SECOND;
    return { total: this.#total, done, remaining_seconds: done === 0 ? null : Math.ceil((seconds * waiting) / done) };
  }
}
