/** Work of the same name is done one after the other, work of different names at the same time. */
export class SerialQueues {
  readonly #last = new Map<string, Promise<unknown>>();

  run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const turn = before.then(work);
    // A failure is the business of whoever asked for the work, not of who comes next.
    const done = turn
      .catch(() => undefined)
      .finally(() => {
        if (this.#last.get(name) === done) this.#last.delete(name);
      });
    this.#last.set(name, done);
    return turn;
  }
}
