import { DAY, SECOND } from '@holdfast/base';
import { every } from '../../adapters/every.ts';
import type { Catalogue } from '../catalogue.ts';
import { catchUp } from '../statistics/catch-up.ts';
import { listeningUsers } from '../statistics/listening-users.ts';
import { pruneEvents } from '../statistics/prune.ts';

const COUNT_EVERY_MS: number = 10 * SECOND;

/**
 * What a server does beside answering: counting what was listened, a little later and for several reports at once, and
 * once a day removing events that are old enough. Nothing depends on it: whoever reads statistics counts first.
 */
export class ListeningJobs {
  readonly #catalogue: Catalogue;
  readonly #onProblem: (error: unknown) => void;
  readonly #users = new Set<string>();
  readonly #stop: () => void;
  #running: Promise<void> | undefined;
  #knowsAll = false;
  #prunedAt: number;

  constructor(catalogue: Catalogue, onProblem: (error: unknown) => void) {
    this.#catalogue = catalogue;
    this.#onProblem = onProblem;
    this.#prunedAt = catalogue.now();
    this.#stop = every(COUNT_EVERY_MS, () => this.#tick());
  }

  /** Somebody reported something. */
  noticed(user: string): void {
    this.#users.add(user);
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#running;
  }

  #tick(): void {
    // A failure is no reason to stop: the next time, or whoever reads, counts what is left.
    this.#running ??= this.#work()
      .catch(this.#onProblem)
      .finally(() => (this.#running = undefined));
  }

  async #work(): Promise<void> {
    if (!this.#knowsAll) {
      for await (const user of listeningUsers(this.#catalogue)) this.#users.add(user);
      this.#knowsAll = true;
    }
    for (const user of this.#users) {
      this.#users.delete(user);
      await catchUp(this.#catalogue, user);
    }
    if (this.#catalogue.now() - this.#prunedAt < DAY) return;
    this.#prunedAt = this.#catalogue.now();
    await pruneEvents(this.#catalogue);
  }
}
