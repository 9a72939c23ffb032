/** The last so many of something, without ever moving what is there. */
export class Ring<T> {
  readonly #items: T[] = [];
  readonly #capacity: number;
  #next = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(item: T): void {
    this.#items[this.#next] = item;
    this.#next = (this.#next + 1) % this.#capacity;
  }

  /** The oldest first. */
  all(): readonly T[] {
    return [...this.#items.slice(this.#next), ...this.#items.slice(0, this.#next)];
  }
}
