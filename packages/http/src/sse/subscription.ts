import { endReading } from './end-reading.ts';
import type { StreamEvent } from './event.ts';
import type { EventFeed } from './feed.ts';
import type { EventRing } from './ring.ts';

type Step = IteratorResult<StreamEvent, undefined>;
const DONE: Step = { done: true, value: undefined };

/**
 * One listener of a broadcaster, in one of two modes:
 *
 * - *shared*: reads from the ring at a number. Left when the ring has moved past that number, because the listener was
 * slow.
 * - *own*: reads the feed from its last id. Entered when the ring does not know that id. Left at the first event that
 * the ring knows.
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
