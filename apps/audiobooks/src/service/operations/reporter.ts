import { SerialQueue } from '@holdfast/base';
import type { LogLevel } from '../../model/choices.ts';
import type { Operation } from '../../model/operation.ts';
import { toTime } from '../../model/stored.ts';
import { operations } from '../../store/definitions.ts';
import { appendLog, type LogLine } from '../../store/operations.ts';
import type { Audiobooks } from '../audiobooks.ts';

const LINES_MAX = 10_000;

/** Collects progress and log lines of a running operation and writes them in one commit a few times a second. */
export class Reporter {
  readonly #audiobooks: Audiobooks;
  readonly #id: string;
  readonly #owner: string;
  #lines: LogLine[] = [];
  #written = 0;
  #progress: Operation['progress'] | undefined;
  readonly #writes = new SerialQueue();

  constructor(audiobooks: Audiobooks, id: string, owner: string) {
    this.#audiobooks = audiobooks;
    this.#id = id;
    this.#owner = owner;
  }

  progress(current: number, total: number, phase = ''): void {
    this.#progress = { current: Math.max(0, Math.round(current)), total: Math.max(0, Math.round(total)), phase };
  }

  log(level: LogLevel, message: string): void {
    this.#written += 1;
    if (this.#written > LINES_MAX && level === 'info') return;
    if (this.#written > 2 * LINES_MAX) return;
    this.#lines.push({ level, message: message.toWellFormed(), at: toTime(this.#audiobooks.now()) });
  }

  /** Also renews the lease, unless another process has taken the operation over. */
  flush(): Promise<void> {
    return this.#writes.run(() => this.#write());
  }

  async #write(): Promise<void> {
    const lines = this.#lines;
    const progress = this.#progress;
    this.#lines = [];
    const heartbeat = toTime(this.#audiobooks.now());
    await this.#audiobooks.store.transact(async (tx) => {
      for (const line of lines) appendLog(tx, this.#id, line);
      await tx.update(operations, { id: this.#id }, (operation) => {
        if (operation.owner !== this.#owner) return operation;
        return { ...operation, heartbeat_at: heartbeat, progress: progress ?? operation.progress };
      });
    });
  }
}
