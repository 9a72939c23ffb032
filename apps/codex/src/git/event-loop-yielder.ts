/** Milliseconds of work before yielding. */
const SLICE_MS = 1;

/** Yields to the event loop during long work: planning a batch of thousands of files must not block requests. */
export class EventLoopYielder {
  #since = performance.now();

  /** Returns undefined if yielding is not needed yet. */
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
