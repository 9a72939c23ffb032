import { type FileEvent, isTerminal } from '../model/event.ts';
import { changedStatuses, findEvent, lastChange } from '../store/events.ts';
import type { Store } from '../store/open.ts';

const PAGE = 1_000;

export interface Waited {
  readonly event: FileEvent;
  readonly timedOut: boolean;
}

/**
 * Waits for events without polling: one query for changes serves all waiters. A folded event ends with the event it was
 * folded into.
 */
export class EventWaits {
  readonly #store: Store;
  readonly #wakes = new Map<number, Set<() => void>>();
  #unsubscribe: (() => void) | undefined;
  #seen = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Undefined when there is no such event. */
  async wait(id: number, timeoutMs: number, signal?: AbortSignal): Promise<Waited | undefined> {
    const deadline = performance.now() + timeoutMs;
    let current = id;
    for (;;) {
      const stop = this.#watch(current);
      try {
        const event = findEvent(this.#store.reader, current);
        if (event === undefined) return this.#first(id, false);
        if (event.status === 'superseded' && event.superseded_by !== null) {
          current = event.superseded_by;
          continue;
        }
        if (isTerminal(event.status)) return current === id ? { event, timedOut: false } : this.#first(id, false);
        const left = deadline - performance.now();
        if (left <= 0 || signal?.aborted === true) return this.#first(id, true);
        await stop.changedOrAfter(left, signal);
      } finally {
        stop.end();
      }
    }
  }

  close(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    for (const wakes of this.#wakes.values()) for (const wake of wakes) wake();
    this.#wakes.clear();
  }

  #first(id: number, timedOut: boolean): Waited | undefined {
    const event = findEvent(this.#store.reader, id);
    return event === undefined ? undefined : { event, timedOut };
  }

  #watch(id: number): { changedOrAfter(ms: number, signal?: AbortSignal): Promise<void>; end(): void } {
    let wake = doNothing;
    const changed = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const wakes = this.#wakes.get(id) ?? new Set();
    this.#wakes.set(id, wakes.add(wake));
    if (this.#unsubscribe === undefined) {
      this.#seen = lastChange(this.#store.reader);
      this.#unsubscribe = this.#store.onChange(() => this.#look());
    }
    return {
      async changedOrAfter(ms, signal) {
        const timer = setTimeout(wake, ms);
        signal?.addEventListener('abort', wake, { once: true });
        await changed;
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
      },
      end: () => {
        wakes.delete(wake);
        if (wakes.size === 0 && this.#wakes.get(id) === wakes) this.#wakes.delete(id);
        if (this.#wakes.size > 0) return;
        this.#unsubscribe?.();
        this.#unsubscribe = undefined;
      },
    };
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

function doNothing(): void {}
