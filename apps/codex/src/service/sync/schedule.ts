import { SECOND } from '@holdfast/base';

import { dueAt } from '../../model/remote.ts';
import { findNotebook } from '../../store/notebooks.ts';
import { allRemotes } from '../../store/remotes.ts';
import type { Codex } from '../codex.ts';
import { pauseOf } from '../pause.ts';
import { syncRemote } from './sync-remote.ts';

const TICK_MS: number = 5 * SECOND;

/** Syncs each remote of each notebook at its interval, one remote at a time. */
export class SyncSchedule {
  readonly #codex: Codex;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(codex: Codex) {
    this.#codex = codex;
  }

  start(): void {
    if (this.#codex.settings.sync_interval === 0) return;
    this.#timer = setInterval(() => {
      this.#running ??= this.#tick().finally(() => (this.#running = undefined));
    }, TICK_MS).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  async #tick(): Promise<void> {
    const { store, clock, settings } = this.#codex;
    for (const remote of allRemotes(store.reader)) {
      const notebook = findNotebook(store.reader, remote.notebook_id);
      const isDue = dueAt(remote, settings.sync_interval) <= clock();
      if (!isDue || notebook?.state !== 'active' || pauseOf(notebook) !== null) continue;
      // `syncRemote` stores the failure with the remote.
      await syncRemote(this.#codex, notebook, remote).catch(() => undefined);
    }
  }
}
