import type { StreamEvent } from './event.ts';
import type { EventFeed } from './feed.ts';
import { EventRing } from './ring.ts';
import { Subscription } from './subscription.ts';

export interface BroadcasterOptions {
  /** Number of events kept for listeners that are slightly behind. */
  readonly capacity?: number;
  readonly onError?: (error: unknown) => void;
}

const CAPACITY = 1_024;

/**
 * Reads a feed once for any number of listeners, and is itself a feed. Starts with the first listener and runs until
 * closed.
 *
 * When the feed fails, all listeners end; they reconnect with their last id, and the feed is opened again. Nothing is
 * lost, because each listener knows its own position.
 */
export class Broadcaster implements EventFeed {
  readonly #feed: EventFeed;
  readonly #capacity: number;
  readonly #onError: (error: unknown) => void;
  #running: Promise<Run> | undefined;
  #isClosed = false;

  constructor(feed: EventFeed, options: BroadcasterOptions = {}) {
    this.#feed = feed;
    this.#capacity = options.capacity ?? CAPACITY;
    this.#onError = options.onError ?? (() => undefined);
  }

  head(): string | Promise<string> {
    return this.#feed.head();
  }

  accepts(id: string): boolean {
    return this.#feed.accepts?.(id) ?? true;
  }

  async *open(since: string, signal: AbortSignal): AsyncGenerator<StreamEvent, void, undefined> {
    const subscription = await this.subscribe(since);
    const close = (): void => subscription.close();
    signal.addEventListener('abort', close, { once: true });
    try {
      if (!signal.aborted) yield* subscription;
    } finally {
      signal.removeEventListener('abort', close);
      subscription.close();
    }
  }

  async subscribe(since: string): Promise<Subscription> {
    const run = await (this.#running ??= this.#start());
    const subscription = new Subscription(this.#feed, run.ring, since, (left) => run.listeners.delete(left));
    if (run.controller.signal.aborted) subscription.close();
    else run.listeners.add(subscription);
    return subscription;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const run = await this.#running?.catch(() => undefined);
    if (run !== undefined) this.#end(run);
  }

  async #start(): Promise<Run> {
    const controller = new AbortController();
    try {
      const head = await this.#feed.head();
      const run: Run = { ring: new EventRing(this.#capacity, head), listeners: new Set(), controller };
      if (this.#isClosed) controller.abort();
      else void this.#pump(run, head);
      return run;
    } catch (error) {
      this.#running = undefined;
      throw error;
    }
  }

  async #pump(run: Run, head: string): Promise<void> {
    try {
      for await (const event of this.#feed.open(head, run.controller.signal)) {
        run.ring.push(event);
        for (const listener of run.listeners) listener.wake();
      }
    } catch (error) {
      this.#onError(error);
    }
    this.#end(run);
  }

  #end(run: Run): void {
    if (!this.#isClosed) this.#running = undefined;
    run.controller.abort();
    for (const listener of run.listeners) listener.close();
  }
}

interface Run {
  readonly ring: EventRing;
  readonly listeners: Set<Subscription>;
  readonly controller: AbortController;
}
