import { MINUTE, SECOND } from '@holdfast/base';

import { GitLanes } from '../git/lane.ts';
import type { FileEvent } from '../model/event.ts';
import type { Notebook } from '../model/notebook.ts';
import type { SyncOperation } from '../model/operation.ts';
import { timeText } from '../model/time.ts';
import { waitingEvents } from '../store/events.ts';
import { findNotebook, listNotebooks, notebookOf } from '../store/notebooks.ts';
import type { ReconcileOptions, ReconcileReport } from '../watch/notebook-watcher.ts';
import { requireFolder } from '../watch/require-folder.ts';
import { type Codex, type CodexOptions, openCodex } from './codex.ts';
import { EventWaits, type Waited } from './event-waits.ts';
import { FigureKeeper } from './figures.ts';
import { keepHouse } from './housekeeping.ts';
import { Lanes } from './lane/lanes.ts';
import { NoteIndex } from './note-index/note-index.ts';
import { type ProblemListener, Problems, type ProblemSource } from './problems.ts';
import { type Publication, publish, type Published } from './publish.ts';
import { requestSync } from './request-sync.ts';
import { Watchers } from './watchers.ts';

const SHUTDOWN_WAIT_MS: number = 10 * SECOND;
/** How long the removal of a notebook waits for an operation that does not come to an end. */
const REMOVAL_WAIT_MS: number = 10 * SECOND;
const WAITING_MAX = 1_000_000;
const HOUSEKEEPING_EVERY_MS: number = 10 * MINUTE;

export interface EngineOptions {
  /** Told of what goes wrong in work that nobody waits for, see problems.ts. */
  readonly onProblem?: ProblemListener;
}

/** Codex at work: the queue is worked through, git commits, and whoever waits is told. */
export class Engine {
  readonly codex: Codex;
  readonly git: GitLanes;
  readonly lanes: Lanes;
  readonly waits: EventWaits;
  readonly figures: FigureKeeper;
  readonly watchers: Watchers;
  readonly notes: NoteIndex;
  readonly problems: Problems;
  #houseKeeping: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  constructor(codex: Codex, options: EngineOptions = {}) {
    this.codex = codex;
    this.problems = new Problems(codex, options.onProblem);
    const noting =
      (source: ProblemSource) =>
      (notebookId: number, error: unknown): void =>
        this.problems.note(notebookId, source, error);
    this.git = new GitLanes({
      store: codex.store,
      settings: codex.settings,
      now: codex.clock,
      onProblem: noting('git'),
      onDone: (notebookId) => this.problems.clear(notebookId, 'git'),
    });
    this.notes = new NoteIndex(codex, noting('notes'), (notebookId) => this.problems.clear(notebookId, 'notes'));
    this.lanes = new Lanes(codex, this.git, {
      onProblem: noting('queue'),
      onTurn: (notebookId) => this.problems.clear(notebookId, 'queue'),
      onLeftOver: (notebookId) => this.notes.wake(notebookId),
    });
    this.waits = new EventWaits(codex.store);
    this.figures = new FigureKeeper(codex);
    this.watchers = new Watchers(codex, {
      prepare: (notebookId) => this.git.repository(notebookId),
      publish: (notebook, operations) => this.publishSync(notebook, operations),
      onProblem: noting('watching'),
      onCompared: (notebookId) => this.notes.wake(notebookId),
      onRecovered: (notebookId) => this.problems.clear(notebookId, 'watching'),
    });
  }

  /** From now on whatever is asked for or happens in the folders is worked on, until `close`. */
  start(): void {
    this.problems.start();
    this.lanes.start();
    this.git.resume();
    this.notes.start();
    if (this.codex.settings.watch) this.watchers.start();
    const problem = (error: unknown): void => this.problems.tell(error, { part: 'housekeeping' });
    this.figures.start(problem);
    const keep = (): void => {
      this.notes.wakeAll();
      void keepHouse(this.codex).catch(problem);
    };
    this.#houseKeeping = setInterval(keep, HOUSEKEEPING_EVERY_MS).unref();
  }

  /** Compares folder and index, and waits until the queue has looked at every difference. */
  async reconcile(notebook: Notebook, timeoutMs: number, options: ReconcileOptions = {}): Promise<ReconcileReport> {
    const report = await this.watchers.reconcile(notebook, options);
    const deadline = performance.now() + timeoutMs;
    for (const { id } of waitingEvents(this.codex.store.reader, notebook.id, 0, WAITING_MAX)) {
      await this.wait(id, Math.max(0, deadline - performance.now()));
    }
    return report;
  }

  async publish(publication: Publication): Promise<Published> {
    const { reader } = this.codex.store;
    requireFolder(reader, notebookOf(reader, publication.notebookId));
    const published = await publish(this.codex, publication);
    this.lanes.wake(publication.notebookId);
    return published;
  }

  /** For the watcher. */
  async publishSync(notebook: Notebook, operations: readonly SyncOperation[]): Promise<void> {
    if (operations.length === 0) return;
    await this.codex.store.write('codex sync', (tx) => {
      if (findNotebook(tx, notebook.id)?.state !== 'active') return;
      requestSync(tx, notebook.id, operations, timeText(this.codex.clock()));
    });
    this.lanes.wake(notebook.id);
  }

  /** Until the event is done, or the time is up. */
  wait(eventId: number, timeoutMs: number, signal?: AbortSignal): Promise<Waited | undefined> {
    return this.waits.wait(eventId, timeoutMs, signal);
  }

  /** Publishes and waits for all of it. */
  async run(publication: Publication, timeoutMs: number): Promise<readonly FileEvent[]> {
    const { events } = await this.publish(publication);
    const waited = await Promise.all(events.map(({ id }) => this.wait(id, timeoutMs)));
    return waited.flatMap((each) => (each === undefined ? [] : [each.event]));
  }

  /** A notebook has been added: its repository is made ready. */
  async adopt(notebook: Notebook): Promise<void> {
    await this.git.repository(notebook.id);
  }

  /** What was acknowledged is done and committed, as far as that is possible; then the notebook is left alone. */
  async retire(notebookId: number): Promise<void> {
    await this.watchers.retire(notebookId);
    for (const { id } of waitingEvents(this.codex.store.reader, notebookId, 0, WAITING_MAX)) {
      const waited = await this.wait(id, REMOVAL_WAIT_MS);
      if (waited?.timedOut === true) break;
    }
    await this.lanes.retire(notebookId);
    try {
      await this.git.flush(notebookId);
    } catch (error) {
      this.problems.note(notebookId, 'git', error);
    }
    await this.git.forget(notebookId);
  }

  /** What is under way is finished, what git has to do is committed; the rest waits in the database. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearInterval(this.#houseKeeping);
    this.figures.close();
    await this.watchers.close();
    this.waits.close();
    await this.lanes.close();
    await this.notes.close();
    const late = new Promise<void>((resolve) => setTimeout(resolve, SHUTDOWN_WAIT_MS).unref());
    await Promise.race([this.git.close(), late]);
    await this.problems.close();
    await this.codex.store.close();
  }

  notebooks(): readonly Notebook[] {
    return listNotebooks(this.codex.store.reader);
  }
}

export async function openEngine(options: CodexOptions & EngineOptions): Promise<Engine> {
  const engine = new Engine(await openCodex(options), options);
  engine.start();
  return engine;
}
