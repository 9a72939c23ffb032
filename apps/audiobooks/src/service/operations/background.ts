import { audiobookErrors } from '../../model/errors.ts';
import type { Operation } from '../../model/operation.ts';
import type { Asking } from '../engines.ts';

/** Each may keep a processor and a disk busy. */
const AT_ONCE = 8;

type Started = Required<Pick<Asking, 'signal' | 'onAccepted'>>;

/** Operations that go on after whoever asked for them has got an answer. They are cancelled when the server stops. */
export class Background {
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  readonly #onProblem: (error: unknown) => void;

  constructor(onProblem: (error: unknown) => void) {
    this.#onProblem = onProblem;
  }

  /** Resolves with the operation as soon as it is on record; rejects when it cannot begin. */
  start(run: (asking: Started) => Promise<Operation>): Promise<Operation> {
    if (this.#running.size >= AT_ONCE) {
      throw audiobookErrors.OPERATIONS_FULL(`${AT_ONCE} operations are running already.`);
    }
    return new Promise((resolve, reject) => {
      // What goes wrong after it began is in the operation itself.
      this.#track(run({ signal: this.#stop.signal, onAccepted: resolve }).then(resolve, reject));
    });
  }

  /** Something that nobody waits for, such as taking up what was interrupted. */
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
