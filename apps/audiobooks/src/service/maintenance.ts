import { DAY, SECOND } from '@holdfast/base';
import { every } from '../adapters/process.ts';
import type { Audiobooks } from './audiobooks.ts';
import { pruneSessions } from './audiobookshelf/playback.ts';
import { recoverInterrupted } from './operations/recover-operations.ts';
import { catchUp, listeningUsers, pruneEvents } from './statistics/count.ts';

const COUNT_INTERVAL_MS: number = 10 * SECOND;

/**
 * Background work of a server: recovers interrupted operations, counts playback events in batches, and prunes old
 * events once a day. Counting may be late, because every query of the statistics first counts new events.
 */
export class Maintenance {
  readonly #audiobooks: Audiobooks;
  readonly #onProblem: (error: unknown) => void;
  readonly #stop: () => void;
  #running: Promise<void> | undefined;
  #hasListedUsers = false;
  #prunedAt: number;

  constructor(audiobooks: Audiobooks, onProblem: (error: unknown) => void) {
    this.#audiobooks = audiobooks;
    this.#onProblem = onProblem;
    this.#prunedAt = audiobooks.now();
    audiobooks.background.follow((signal) => recoverInterrupted(audiobooks, signal));
    this.#stop = every(COUNT_INTERVAL_MS, () => this.#tick());
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#running;
  }

  #tick(): void {
    this.#running ??= this.#work()
      .catch(this.#onProblem)
      .finally(() => (this.#running = undefined));
  }

  async #work(): Promise<void> {
    const { uncounted, now } = this.#audiobooks;
    if (!this.#hasListedUsers) {
      for await (const user of listeningUsers(this.#audiobooks)) uncounted.add(user);
      this.#hasListedUsers = true;
    }
    for (const user of uncounted) {
      uncounted.delete(user);
      await catchUp(this.#audiobooks, user);
    }
    if (now() - this.#prunedAt < DAY) return;
    this.#prunedAt = now();
    await pruneEvents(this.#audiobooks);
    await pruneSessions(this.#audiobooks);
  }
}
