import type { EventFeed, StreamEvent } from './event.ts';

export interface BroadcasterOptions {
  /** Number of events kept for listeners that are slightly behind. */
  readonly capacity?: number;
  readonly onError?: (error: unknown) => void;
}

const CAPACITY = 1_024;

/**
 * Reads a feed once for any number of listeners, and is itself a feed. It starts with the first listener and runs until
 * closed. When the feed fails, all listeners end. They reconnect with their last id, and the feed is opened again.
 * Nothing is lost, because each listener resumes from its own position.
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

type Step = IteratorResult<StreamEvent, undefined>;
const DONE: Step = { done: true, value: undefined };

/**
 * One listener of a broadcaster, in one of two modes:
 *
 * - *shared*: reads the ring from its own position. Changes to *own* when the ring has dropped the event at that
 *   position because the listener is too slow.
 * - *own*: reads the feed itself, from its last id. Changes to *shared* at the first event that the ring has.
 *
 * Not a generator, because a waiting generator cannot be ended early.
 */
export class Subscription implements AsyncIterableIterator<StreamEvent> {
  readonly #feed: EventFeed;
  readonly #ring: EventRing;
  readonly #leave: (subscription: Subscription) => void;
  #lastId: string;
  #position: number | undefined;
  #own: { readonly iterator: AsyncIterator<StreamEvent>; readonly controller: AbortController } | undefined;
  #waiting: ((step: Step) => void) | undefined;
  #isClosed = false;

  constructor(feed: EventFeed, ring: EventRing, since: string, leave: (subscription: Subscription) => void) {
    this.#feed = feed;
    this.#ring = ring;
    this.#lastId = since;
    this.#position = ring.after(since);
    this.#leave = leave;
  }

  async next(): Promise<Step> {
    if (this.#isClosed) return DONE;
    if (this.#position === undefined) return this.#nextOfOwn();
    const event = this.#ring.at(this.#position);
    if (event === 'late') {
      this.#position = undefined;
      return this.#nextOfOwn();
    }
    if (event === undefined) return this.#wait();
    return this.#deliver(event, this.#position + 1);
  }

  async return(): Promise<Step> {
    this.close();
    return DONE;
  }

  /** Called by the broadcaster when the ring has more events. */
  wake(): void {
    if (this.#waiting === undefined || this.#position === undefined) return;
    const event = this.#ring.at(this.#position);
    if (event === undefined || event === 'late') return;
    const resolve = this.#waiting;
    this.#waiting = undefined;
    resolve(this.#deliver(event, this.#position + 1));
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#leaveOwn();
    this.#waiting?.(DONE);
    this.#waiting = undefined;
    this.#leave(this);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #deliver(event: StreamEvent, position: number | undefined): Step {
    this.#lastId = event.id;
    this.#position = position;
    return { done: false, value: event };
  }

  #wait(): Promise<Step> {
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  async #nextOfOwn(): Promise<Step> {
    this.#own ??= this.#openOwn();
    const step = await this.#own.iterator.next();
    if (this.#isClosed || step.done === true) {
      this.close();
      return DONE;
    }
    const position = this.#ring.after(step.value.id);
    if (position !== undefined) this.#leaveOwn();
    return this.#deliver(step.value, position);
  }

  #leaveOwn(): void {
    if (this.#own !== undefined) endReading(this.#own.iterator, this.#own.controller);
    this.#own = undefined;
  }

  #openOwn(): { iterator: AsyncIterator<StreamEvent>; controller: AbortController } {
    const controller = new AbortController();
    return { iterator: this.#feed.open(this.#lastId, controller.signal)[Symbol.asyncIterator](), controller };
  }
}

/**
 * The latest events, numbered consecutively. A listener that falls behind the oldest event must read the feed itself.
 */
class EventRing {
  readonly #capacity: number;
  readonly #events: (StreamEvent | undefined)[];
  readonly #numberById = new Map<string, number>();
  #end = 0;
  #start = 0;
  #idBeforeStart: string;

  constructor(capacity: number, headId: string) {
    this.#capacity = capacity;
    this.#events = Array.from({ length: capacity });
    this.#idBeforeStart = headId;
  }

  push(event: StreamEvent): void {
    if (this.#end - this.#start === this.#capacity) this.#dropOldest();
    this.#events[this.#end % this.#capacity] = event;
    this.#numberById.set(event.id, this.#end);
    this.#end += 1;
  }

  /** Returns the number of the event that follows this id; undefined if the ring does not have the id. */
  after(id: string): number | undefined {
    if (id === this.#idBeforeStart) return this.#start;
    const number = this.#numberById.get(id);
    return number === undefined ? undefined : number + 1;
  }

  /** Returns `late` if the ring has dropped the event, and undefined if the event does not exist yet. */
  at(number: number): StreamEvent | 'late' | undefined {
    if (number < this.#start) return 'late';
    return number < this.#end ? this.#events[number % this.#capacity] : undefined;
  }

  #dropOldest(): void {
    const oldest = this.#events[this.#start % this.#capacity];
    if (oldest !== undefined) {
      this.#idBeforeStart = oldest.id;
      this.#numberById.delete(oldest.id);
    }
    this.#start += 1;
  }
}

/**
 * Stops reading a feed in any state. A waiting generator ignores `return` but reacts to its signal. A generator that is
 * suspended at a `yield` ignores the signal but reacts to `return`.
 */
export function endReading(iterator: AsyncIterator<unknown>, controller: AbortController): void {
  controller.abort();
  // The reader is gone, so a late error has no listener.
  iterator.return?.().catch(() => undefined);
}
