import { timeText } from '../model/time.ts';
import type { Notebook } from '../model/notebook.ts';
import type { SyncOperation } from '../model/operation.ts';
import { listNotebooks, noteReconciled } from '../store/notebooks.ts';
import type { NotebookWatcher, ReconcileOptions, ReconcileReport, WatcherStatus } from '../watch/notebook-watcher.ts';
import type { Codex } from './codex.ts';

export interface WatchersOptions {
  /** Makes the repository of a notebook ready. */
  readonly prepare: (notebookId: number) => Promise<unknown>;
  readonly publish: (notebook: Notebook, operations: readonly SyncOperation[]) => Promise<void>;
  readonly onProblem: (notebookId: number, error: unknown) => void;
  /** The folder of the notebook is there, and was compared with the index. */
  readonly onCompared: (notebookId: number) => void;
  /** And all of it is watched. */
  readonly onRecovered: (notebookId: number) => void;
}

/** A watcher for each notebook, also for those that another process adds. */
export class Watchers {
  readonly #codex: Codex;
  readonly #options: WatchersOptions;
  readonly #watchers = new Map<number, Promise<NotebookWatcher>>();
  #unsubscribe: (() => void) | undefined;

  constructor(codex: Codex, options: WatchersOptions) {
    this.#codex = codex;
    this.#options = options;
  }

  start(): void {
    const look = (): void => {
      const notebooks = listNotebooks(this.#codex.store.reader);
      for (const notebook of notebooks) {
        if (notebook.state === 'active' && !this.#watchers.has(notebook.id)) this.#watch(notebook);
      }
      // Another process may have removed some.
      for (const id of this.#watchers.keys()) if (!notebooks.some((known) => known.id === id)) this.#drop(id);
    };
    this.#unsubscribe = this.#codex.store.onChange(look);
    look();
  }

  /** Compares folder and index now, with the watcher that is there or with one for this once. */
  async reconcile(notebook: Notebook, options: ReconcileOptions = {}): Promise<ReconcileReport> {
    const running = await this.#watchers.get(notebook.id);
    const watcher = running ?? (await this.#make(notebook));
    try {
      return await watcher.reconcile(options);
    } finally {
      if (running === undefined) await watcher.close();
    }
  }

  async status(notebookId: number): Promise<WatcherStatus | undefined> {
    return (await this.#watchers.get(notebookId))?.status();
  }

  /** Remembered as ended: while its notebook is being removed nobody starts another. */
  async retire(notebookId: number): Promise<void> {
    const watcher = await this.#watchers.get(notebookId);
    await watcher?.close();
  }

  async close(): Promise<void> {
    this.#unsubscribe?.();
    for (const watcher of this.#watchers.values()) await (await watcher).close();
    this.#watchers.clear();
  }

  #drop(notebookId: number): void {
    void this.retire(notebookId).catch((error: unknown) => this.#options.onProblem(notebookId, error));
    this.#watchers.delete(notebookId);
  }

  #watch(notebook: Notebook): void {
    const { id } = notebook;
    const making = this.#make(notebook);
    this.#watchers.set(id, making);
    void this.#start(id, making).catch((error: unknown) => this.#options.onProblem(id, error));
  }

  async #start(id: number, making: Promise<NotebookWatcher>): Promise<void> {
    const watcher = await making;
    // Before it has a repository of its own, the rules of one around it count, which may hide all of it.
    await this.#options.prepare(id).catch((error: unknown) => this.#options.onProblem(id, error));
    await watcher.start();
  }

  /** Loaded only where it is used: commands that only write need no watcher. */
  async #make(notebook: Notebook): Promise<NotebookWatcher> {
    const module = await import('../watch/notebook-watcher.ts');
    const { store, settings, clock, deviceOf } = this.#codex;
    const { publish } = this.#options;
    const onCompared = (): Promise<void> => this.#compared(notebook.id);
    const onProblem = (error: unknown): void => this.#options.onProblem(notebook.id, error);
    const onRecovered = (): void => this.#options.onRecovered(notebook.id);
    const told = { onCompared, onProblem, onRecovered };
    return new module.NotebookWatcher({ notebook, store, publish, settings, now: clock, deviceOf, ...told });
  }

  async #compared(id: number): Promise<void> {
    const now = timeText(this.#codex.clock());
    await this.#codex.store.write('codex reconciled', (tx) => noteReconciled(tx, id, now));
    this.#options.onCompared(id);
  }
}
