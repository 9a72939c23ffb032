import { delay, MINUTE, SECOND, systemClock, toTimestamp } from '@holdfast/base';

import { GitLanes } from '../git/lane.ts';
import type { FileEvent } from '../model/event.ts';
import type { Notebook } from '../model/notebook.ts';
import type { SyncOperation } from '../model/operation.ts';
import { insertSyncEvents, waitingEvents } from '../store/events.ts';
import { findNotebook, listNotebooks, notebookOf } from '../store/notebooks.ts';
import { openStore } from '../store/open.ts';
import type { ReconcileReport } from '../operations/notebooks.ts';
import type { ReconcileOptions } from '../watch/notebook-watcher.ts';
import { requireFolder } from '../watch/disks.ts';
import { CodexContext, type ContextOptions } from './context.ts';
import { EventWaits, type WaitResult } from './event-waits.ts';
import { Lanes } from './lane/lanes.ts';
import { maintain } from './maintenance.ts';
import { QueueSampler } from './metrics.ts';
import { NoteIndex } from './note-index.ts';
import { type Publication, publish, type Published } from './publish.ts';
import { SyncSchedule } from './sync/schedule.ts';
import { Watchers } from './watchers.ts';

const SHUTDOWN_WAIT_MS: number = 10 * SECOND;
/** Maximum time that the removal of a notebook waits for running operations. */
const REMOVAL_WAIT_MS: number = 10 * SECOND;
const WAITING_MAX = 1_000_000;
const MAINTENANCE_EVERY_MS: number = 10 * MINUTE;

/** All notebooks, with the workers that process their queues, commit to git and watch their folders. */
export class Codex extends CodexContext {
  readonly git: GitLanes = new GitLanes(this);
  readonly notes: NoteIndex = new NoteIndex(this);
  readonly lanes: Lanes = new Lanes(this);
  readonly waits: EventWaits = new EventWaits(this.store);
  readonly sampler: QueueSampler = new QueueSampler(this);
  readonly watchers: Watchers = new Watchers(this);
  readonly syncs: SyncSchedule = new SyncSchedule(this);
  /** True while this process processes the queues in the background. */
  isRunning = false;
  #maintenance: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  static async open(options: ContextOptions): Promise<Codex> {
    const { databasePath: path, create = true, clock: now = systemClock, processIsEnding = false } = options;
    return new Codex(await openStore({ path, create, now, processIsEnding }), options);
  }

  start(): void {
    this.isRunning = true;
    this.problems.start();
    this.lanes.start();
    this.git.resume();
    this.notes.start();
    if (this.settings.watch) this.watchers.start();
    this.sampler.start();
    this.syncs.start();
    const run = (): void => {
      this.notes.wakeAll();
      void maintain(this).catch((error: unknown) => this.problems.tell(error, { part: 'maintenance' }));
    };
    this.#maintenance = setInterval(run, MAINTENANCE_EVERY_MS).unref();
  }

  /** Compares folder and index, then waits up to `timeoutMs` until the queue has handled the differences. */
  async reconcile(notebook: Notebook, timeoutMs: number, options: ReconcileOptions = {}): Promise<ReconcileReport> {
    const report = await this.watchers.reconcile(notebook, options);
    const deadline = performance.now() + timeoutMs;
    for (const { id } of waitingEvents(this.store.reader, notebook.id, 0, WAITING_MAX)) {
      await this.wait(id, Math.max(0, deadline - performance.now()));
    }
    return report;
  }

  async publish(publication: Publication): Promise<Published> {
    const { reader } = this.store;
    requireFolder(reader, notebookOf(reader, publication.notebookId));
    const published = await publish(this, publication);
    this.lanes.wake(publication.notebookId);
    return published;
  }

  async publishSync(notebook: Notebook, operations: readonly SyncOperation[]): Promise<void> {
    if (operations.length === 0) return;
    await this.store.write('codex sync', (tx) => {
      if (findNotebook(tx, notebook.id)?.state !== 'active') return;
      insertSyncEvents(tx, notebook.id, operations, toTimestamp(this.clock()));
    });
    this.lanes.wake(notebook.id);
  }

  wait(eventId: number, timeoutMs: number, signal?: AbortSignal): Promise<WaitResult | undefined> {
    return this.waits.wait(eventId, timeoutMs, signal);
  }

  async run(publication: Publication, timeoutMs: number): Promise<readonly FileEvent[]> {
    const { events } = await this.publish(publication);
    const waited = await Promise.all(events.map(({ id }) => this.wait(id, timeoutMs)));
    return waited.flatMap((each) => (each === undefined ? [] : [each.event]));
  }

  /** Finishes and commits acknowledged operations as far as possible, then stops all work on the notebook. */
  async retire(notebookId: number): Promise<void> {
    await this.watchers.retire(notebookId);
    for (const { id } of waitingEvents(this.store.reader, notebookId, 0, WAITING_MAX)) {
      const waited = await this.wait(id, REMOVAL_WAIT_MS);
      if (waited?.timedOut === true) break;
    }
    await this.lanes.retire(notebookId);
    try {
      await this.git.flush(notebookId);
    } catch (error) {
      this.problems.report(notebookId, 'git', error);
    }
    await this.git.forget(notebookId);
  }

  /** Finishes the running operations and commits pending git changes; other operations stay queued. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      clearInterval(this.#maintenance);
      this.sampler.close();
      await Promise.race([this.syncs.close(), delay(SHUTDOWN_WAIT_MS, undefined, false)]);
      await this.watchers.close();
      this.waits.close();
      await this.lanes.close();
      await this.notes.close();
      await Promise.race([this.git.close(), delay(SHUTDOWN_WAIT_MS, undefined, false)]);
      await this.problems.close();
    } finally {
      await this.store.close();
    }
  }

  notebooks(): readonly Notebook[] {
    return listNotebooks(this.store.reader);
  }
}

export async function openCodex(options: ContextOptions): Promise<Codex> {
  const codex = await Codex.open(options);
  try {
    codex.start();
    return codex;
  } catch (error) {
    // Closes the half-started Codex, because its watches would keep the process alive.
    await codex.close().catch(() => undefined);
    throw error;
  }
}
