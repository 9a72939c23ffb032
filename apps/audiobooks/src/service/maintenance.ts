import { DAY, MINUTE, SECOND } from '@holdfast/base';
import { LeasedWork } from '@holdfast/keyspace';

import { every } from '../adapters/process.ts';
import type { Audiobooks } from './audiobooks.ts';
import { pruneSessions } from './audiobookshelf/playback.ts';
import { Heartbeats, recoverInterrupted } from './operations/recover-operations.ts';
import { catchUp, listeningUsers, pruneEvents } from './statistics/count.ts';

const COUNT_INTERVAL_MS: number = 10 * SECOND;

const RECOVER_INTERVAL_MS: number = MINUTE;

/**
 * Background work of a server: recovers interrupted operations, counts playback events in batches, and prunes old
 * events once a day. Counting may be late, because every statistics query first counts new events. Several servers may
 * count at once; only one of them prunes.
 */
export class Maintenance {
  readonly #audiobooks: Audiobooks;
  readonly #onProblem: (error: unknown) => void;
  readonly #stops: readonly (() => void)[];
  readonly #pruning: LeasedWork;
  readonly #heartbeats = new Heartbeats();
  #running: Promise<void> | undefined;
  #isRecovering = false;
  #hasListedUsers = false;

  constructor(audiobooks: Audiobooks, onProblem: (error: unknown) => void) {
    this.#audiobooks = audiobooks;
    this.#onProblem = onProblem;
    this.#recover();
    this.#stops = [every(COUNT_INTERVAL_MS, () => this.#count()), every(RECOVER_INTERVAL_MS, () => this.#recover())];
    this.#pruning = new LeasedWork({
      keyspace: audiobooks.store,
      name: 'prune',
      everyMs: DAY,
      async work({ keyspace: store }) {
        await pruneEvents({ ...audiobooks, store });
        await pruneSessions({ ...audiobooks, store });
      },
      onError: onProblem,
    });
  }

  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    await this.#pruning.stop();
    await this.#running;
  }

  /** Runs periodically, because a server that crashed during an operation may never restart and recover it. */
  #recover(): void {
    if (this.#isRecovering) return;
    this.#isRecovering = true;
    this.#audiobooks.background.follow((signal) =>
      recoverInterrupted(this.#audiobooks, signal, this.#heartbeats).finally(() => (this.#isRecovering = false)),
    );
  }

  #count(): void {
    this.#running ??= this.#countNew()
      .catch(this.#onProblem)
      .finally(() => (this.#running = undefined));
  }

  async #countNew(): Promise<void> {
    const { uncounted } = this.#audiobooks;
    if (!this.#hasListedUsers) {
      for await (const user of listeningUsers(this.#audiobooks)) uncounted.add(user);
      this.#hasListedUsers = true;
    }
    for (const user of uncounted) {
      uncounted.delete(user);
      await catchUp(this.#audiobooks, user);
    }
  }
}
