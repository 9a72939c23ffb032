import { follow } from '@holdfast/base';

import type { EventFeed, StreamEvent } from '../src/index.ts';

/**
 * An in-memory journal with the same interface as the real one: numbered entries, and a signal when there may be more.
 */
export class NumberedFeed implements EventFeed {
  readonly #entries: { readonly revision: number; readonly event: StreamEvent }[] = [];
  readonly #wakes = new Set<() => void>();
  /** Number of current readers. */
  readers = 0;
  opened = 0;
  failure: Error | undefined;

  get last(): number {
    return this.#entries.length;
  }

  add(data: unknown = {}): void {
    const revision = this.#entries.length + 1;
    this.#entries.push({ revision, event: { id: String(revision), event: 'change', data } });
    for (const wake of this.#wakes) wake();
  }

  fail(error: Error): void {
    this.failure = error;
    for (const wake of this.#wakes) wake();
  }

  head(): string {
    return String(this.last);
  }

  accepts(id: string): boolean {
    return /^\d{1,15}$/.test(id);
  }

  async *open(since: string, signal: AbortSignal): AsyncGenerator<StreamEvent, void, undefined> {
    this.readers += 1;
    this.opened += 1;
    const read = (after: number) => {
      if (this.failure !== undefined) throw this.failure;
      return this.#entries.slice(after, after + 100);
    };
    const subscribe = (wake: () => void) => {
      this.#wakes.add(wake);
      return () => void this.#wakes.delete(wake);
    };
    try {
      for await (const { event } of follow({ read, subscribe }, Number(since), signal)) yield event;
    } finally {
      this.readers -= 1;
    }
  }
}
