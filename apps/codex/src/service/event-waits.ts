import { type FileEvent, isTerminal } from '../model/event.ts';
import { changedStatuses, findEvent, lastChange, statusOf } from '../store/events.ts';
import type { Store } from '../store/open.ts';

const PAGE = 1_000;

export interface WaitResult {
  readonly event: FileEvent;
  readonly timedOut: boolean;
}

/**
 * Waits for events without polling: one query for changes serves all waiters. For a folded event, waits for the event
 * that it was folded into.
 */
export class EventWaits {
  readonly #store: Store;
  readonly #wakes = new Map<number, Set<() => void>>();
  #waiting = 0;
  #unsubscribe: (() => void) | undefined;
  #seen = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Waits until the event ends or the timeout passes; undefined if there is no such event. */
  async wait(id: number, timeoutMs: number, signal?: AbortSignal): Promise<WaitResult | undefined> {
    const deadline = performance.now() + timeoutMs;
    this.#subscribe();
    try {
      for (;;) {
        const last = this.#lastOf(id);
        const left = deadline - performance.now();
        const isOver = last === undefined || isTerminal(last.status);
        if (isOver || left <= 0 || signal?.aborted === true) {
          const event = findEvent(this.#store.reader, id);
          return event === undefined ? undefined : { event, timedOut: !isOver };
        }
        await this.#endOf(last.id, left, signal);
      }
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#stop();
    }
  }

  close(): void {
    this.#stop();
    for (const wakes of this.#wakes.values()) for (const wake of wakes) wake();
  }

  /** Call before the first read of an event, so that a change after the read is not missed. */
  #subscribe(): void {
    this.#waiting += 1;
    if (this.#unsubscribe !== undefined) return;
    this.#seen = lastChange(this.#store.reader);
    this.#unsubscribe = this.#store.onChange(() => this.#look());
  }

  #stop(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  #lastOf(id: number): ReturnType<typeof statusOf> {
    const event = statusOf(this.#store.reader, id);
    const next = event?.status === 'superseded' ? event.superseded_by : null;
    return next === null ? event : this.#lastOf(next);
  }

  /** Resolves when the event has ended, the timeout has passed or the signal is aborted. */
  #endOf(id: number, timeoutMs: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wakes = this.#wakes.get(id) ?? new Set();
      const wake = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        wakes.delete(wake);
        if (wakes.size === 0) this.#wakes.delete(id);
        resolve();
      };
      const timer = setTimeout(wake, timeoutMs);
      signal?.addEventListener('abort', wake, { once: true });
      this.#wakes.set(id, wakes.add(wake));
    });
  }

  #look(): void {
    for (;;) {
      const changed = changedStatuses(this.#store.reader, this.#seen, PAGE);
      for (const { id, status } of changed) {
        if (isTerminal(status)) for (const wake of this.#wakes.get(id) ?? []) wake();
      }
      this.#seen = changed.at(-1)?.change_seq ?? this.#seen;
      if (changed.length < PAGE) return;
    }
  }
}
