import type { StreamEvent } from './event.ts';

/** The latest events by running number. A listener that falls behind the oldest must read the feed itself. */
export class EventRing {
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

  /** Returns the number after an id; undefined if the ring does not have it. */
  after(id: string): number | undefined {
    if (id === this.#idBeforeStart) return this.#start;
    const number = this.#numberById.get(id);
    return number === undefined ? undefined : number + 1;
  }

  /** `late` if the event was dropped, undefined if it is still to come. */
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
