/**
 * Runs small writes in the background, such as "last seen", one at a time per key. Failures are only reported, because
 * a request must not fail or wait when the disk is full or the database is locked.
 */
export class Background {
  readonly #running = new Map<string, Promise<void>>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  run(key: string, task: () => Promise<void>): void {
    if (this.#running.has(key)) return;
    const running = task()
      .catch(this.#onError)
      .finally(() => this.#running.delete(key));
    this.#running.set(key, running);
  }

  /** Resolves when nothing is running; call it before closing the store. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }
}
