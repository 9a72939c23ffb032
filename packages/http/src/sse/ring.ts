import type { StreamEvent } from './event.ts';

/**
 * The latest events, each at a running number. A listener keeps one number and takes what it has not had; when it falls
 * behind the oldest that is still here, it has to read the feed itself.
 */
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

  /** The number that follows an id, or undefined when the id is not (or no longer) known. */
  after(id: string): number | undefined {
    if (id === this.#idBeforeStart) return this.#start;
    const number = this.#numberById.get(id);
    return number === undefined ? undefined : number + 1;
  }

  /** `late` when it is gone already, undefined when it is yet to come. */
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
