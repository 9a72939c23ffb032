/** Runs at most `max` tasks at once; others wait in order of arrival. */
export class Limiter {
  readonly #max: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** If a task fails, only its caller gets the error; the next task still runs. */
  async run<T>(task: () => T | Promise<T>): Promise<T> {
    const release = await this.acquire();
    try {
      return await task();
    } finally {
      release();
    }
  }

  /** Waits for the caller's turn; resolves with a release function. */
  async acquire(): Promise<() => void> {
    if (this.#running < this.#max) this.#running += 1;
    else await new Promise<void>((turn) => this.#waiting.push(turn));
    let isReleased = false;
    return () => {
      if (!isReleased) this.#release();
      isReleased = true;
    };
  }

  /**
   * Passes the slot directly to the next waiting task. `running` stays the same, so newcomers cannot overtake waiting
   * tasks.
   */
  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}

/** Runs one task at a time. */
export class SerialQueue extends Limiter {
  constructor() {
    super(1);
  }

  /** Resolves when every task queued so far has ended. */
  idle(): Promise<void> {
    return this.run(() => undefined);
  }
}

/** One queue per key: tasks with the same key run one at a time; tasks with different keys run in parallel. */
export class SerialQueues {
  readonly #queues = new Map<string, SerialQueue>();

  async run<T>(key: string, task: () => T | Promise<T>): Promise<T> {
    const release = await this.acquire(key);
    try {
      return await task();
    } finally {
      release();
    }
  }

  async acquire(key: string): Promise<() => void> {
    const queue = this.#queues.get(key) ?? new SerialQueue();
    this.#queues.set(key, queue);
    const release = await queue.acquire();
    return () => {
      release();
      if (queue.running === 0) this.#queues.delete(key);
    };
  }
}
