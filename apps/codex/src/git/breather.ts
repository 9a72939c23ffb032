/** How long others may have to wait, in milliseconds. */
const SLICE_MS = 1;

/**
 * Lets others have their turn during long work: a batch of thousands of files is planned in the same process that answers
 * requests. Costs nothing while a turn is short.
 */
export class Breather {
  #since = performance.now();

  /** Undefined while there is no need to wait. */
  pause(): Promise<void> | undefined {
    if (performance.now() - this.#since < SLICE_MS) return undefined;
    return new Promise((resume) => {
      setImmediate(() => {
        this.#since = performance.now();
        resume();
      });
    });
  }
}
