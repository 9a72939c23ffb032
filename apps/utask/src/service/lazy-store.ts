import type { Store } from '../store/store.ts';

/** Gives the task list, or says why it cannot be reached. */
export type OpenStore = () => Promise<Store>;

/**
 * A task list that need not be there yet: it is opened when somebody first asks for it, and asked for again it is tried
 * again until it opens. Those who ask at the same time wait for one attempt.
 */
export class LazyStore {
  readonly #open: OpenStore;
  #opening: Promise<Store> | undefined;

  constructor(open: OpenStore) {
    this.#open = open;
  }

  readonly get: OpenStore = () => {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  };

  async close(): Promise<void> {
    const store = await this.#opening?.catch(() => undefined);
    await store?.close();
  }
}
