import { audiobookErrors } from '../../model/errors.ts';
import type { Operation, OperationOptions } from '../../model/operation.ts';

/** Maximum number of operations at the same time. Each may use a whole CPU core and saturate a disk. */
const CONCURRENT_MAX = 8;

type StartOptions = Required<Pick<OperationOptions, 'signal' | 'onAccepted'>>;

/** Runs operations in the background after the server has answered the request. Cancels them when the server stops. */
export class BackgroundOperations {
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  readonly #onProblem: (error: unknown) => void;

  constructor(onProblem: (error: unknown) => void) {
    this.#onProblem = onProblem;
  }

  /** Resolves with the operation as soon as it is stored; rejects if it cannot start. */
  start(run: (options: StartOptions) => Promise<Operation>): Promise<Operation> {
    if (this.#running.size >= CONCURRENT_MAX) {
      throw audiobookErrors.OPERATIONS_FULL(`${CONCURRENT_MAX} operations are already running.`);
    }
    return new Promise((resolve, reject) => {
      // The operation itself records errors that occur after its start.
      this.#track(run({ signal: this.#stop.signal, onAccepted: resolve }).then(resolve, reject));
    });
  }

  /** Runs work that no caller waits for, such as recovery. */
  follow(work: (signal: AbortSignal) => Promise<unknown>): void {
    this.#track(
      work(this.#stop.signal).catch((error: unknown) => {
        if (!this.#stop.signal.aborted) this.#onProblem(error);
      }),
    );
  }

  async close(): Promise<void> {
    this.#stop.abort(audiobookErrors.OPERATION_CANCELLED('The server stopped.'));
    await Promise.allSettled(this.#running);
  }

  #track(work: Promise<unknown>): void {
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }
}
