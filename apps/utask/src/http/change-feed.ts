import { randomUUID } from 'node:crypto';
import { follow } from '@holdfast/base';
import type { EventFeed, StreamEvent } from '@holdfast/http';
import type { Task } from '../model/task.ts';
import type { OpenUtask } from '../service/open-utask.ts';
import type { TaskEvent } from '../service/utask.ts';

interface Change {
  readonly id: string;
  /** Null when the task was deleted. */
  readonly task: Task | null;
}

interface Numbered {
  readonly revision: number;
  readonly change: Change;
}

const KEPT = 1_000;

function newRun(): { readonly name: string; readonly ended: AbortController } {
  return { name: randomUUID().slice(0, 8), ended: new AbortController() };
}

/**
 * Numbers the changes in a bucket for event streams. A bucket has no log of all changes, so this class keeps the most
 * recent ones. A client that has missed more than these, or that resumes after the server has restarted, gets a reset.
 */
export class ChangeFeed implements EventFeed {
  readonly #open: OpenUtask;
  #run = newRun();
  readonly #wakes = new Set<() => void>();
  #kept: Numbered[] = [];
  #last = 0;
  #watching: Promise<void> | undefined;

  constructor(open: OpenUtask) {
    this.#open = open;
  }

  async head(): Promise<string> {
    await this.#watch();
    return this.#idOf(this.#last);
  }

  accepts(id: string): boolean {
    return /^[0-9a-f]{8}-\d{1,15}$/.test(id);
  }

  async *open(since: string, signal: AbortSignal): AsyncGenerator<StreamEvent, void, undefined> {
    await this.#watch();
    const [run, number] = since.split('-');
    const oldest = this.#kept[0]?.revision ?? this.#last + 1;
    const { name, ended } = this.#run;
    const isKept = run === name && Number(number) >= oldest - 1;
    if (!isKept) yield { id: this.#idOf(this.#last), event: 'reset', data: null };
    const source = {
      read: (after: number) => this.#kept.filter(({ revision }) => revision > after),
      subscribe: (wake: () => void) => {
        this.#wakes.add(wake);
        return () => void this.#wakes.delete(wake);
      },
    };
    const isOver = AbortSignal.any([signal, ended.signal]);
    for await (const { revision, change } of follow(source, isKept ? Number(number) : this.#last, isOver)) {
      yield { id: this.#idOf(revision), event: 'change', data: change };
    }
  }

  /** Starts the watch for the first listener. The watch runs until the store is closed or lost. */
  async #watch(): Promise<void> {
    this.#watching ??= this.#begin();
    await this.#watching;
  }

  async #begin(): Promise<void> {
    let events: AsyncIterable<TaskEvent>;
    try {
      events = await (await this.#open()).watch(new AbortController().signal);
    } catch (error) {
      this.#watching = undefined;
      throw error;
    }
    const ended = this.#listen(events).catch(() => undefined);
    void ended.then(() => this.#end());
  }

  async #listen(events: AsyncIterable<TaskEvent>): Promise<void> {
    for await (const { id, task } of events) {
      this.#last += 1;
      this.#kept.push({ revision: this.#last, change: { id, task: task ?? null } });
      if (this.#kept.length > KEPT) this.#kept = this.#kept.slice(-KEPT / 2);
      for (const wake of this.#wakes) wake();
    }
  }

  /** Called when the store has been closed or lost. All clients get a reset, because they may have missed changes. */
  #end(): void {
    this.#run.ended.abort();
    this.#run = newRun();
    this.#kept = [];
    this.#watching = undefined;
  }

  #idOf(revision: number): string {
    return `${this.#run.name}-${revision}`;
  }
}
