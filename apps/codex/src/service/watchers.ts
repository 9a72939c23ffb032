import { toTimestamp } from '@holdfast/base';
import type { Notebook } from '../model/notebook.ts';
import { listNotebooks, setReconciledAt } from '../store/notebooks.ts';
import type { ReconcileReport, WatcherStatus } from '../operations/notebooks.ts';
import type { NotebookWatcher, ReconcileOptions, WatcherOptions } from '../watch/notebook-watcher.ts';
import type { Codex } from './codex.ts';

/** One watcher per notebook, including notebooks that another process adds. */
export class Watchers {
  readonly #codex: Codex;
  readonly #watchers = new Map<number, Promise<NotebookWatcher>>();
  #unsubscribe: (() => void) | undefined;

  constructor(codex: Codex) {
    this.#codex = codex;
  }

  start(): void {
    const update = (): void => {
      const notebooks = listNotebooks(this.#codex.store.reader);
      for (const notebook of notebooks) {
        if (notebook.state === 'active' && !this.#watchers.has(notebook.id)) this.#watch(notebook);
      }
      // Drops the watchers of notebooks that another process has removed.
      for (const id of this.#watchers.keys()) if (!notebooks.some((known) => known.id === id)) this.#drop(id);
    };
    this.#unsubscribe = this.#codex.store.onChange(update);
    update();
  }

  /** Compares folder and index now, with the running watcher or a temporary one. */
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

  /** Closes the watcher but leaves it in the map, so that no new watcher starts while the notebook is being removed. */
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
    void this.retire(notebookId).catch((error: unknown) => this.#report(notebookId, error));
    this.#watchers.delete(notebookId);
  }

  #watch(notebook: Notebook): void {
    const { id } = notebook;
    const making = this.#make(notebook);
    this.#watchers.set(id, making);
    void this.#start(id, making).catch((error: unknown) => this.#report(id, error));
  }

  async #start(id: number, making: Promise<NotebookWatcher>): Promise<void> {
    const watcher = await making;
    // Creates the notebook's repository first. Without it, the ignore rules of a surrounding repository would apply and
    // might hide files of the notebook.
    await this.#codex.git.repository(id).catch((error: unknown) => this.#report(id, error));
    await watcher.start();
  }

  /** Loads the watcher on first use: commands that only write do not need it. */
  async #make(notebook: Notebook): Promise<NotebookWatcher> {
    const module = await import('../watch/notebook-watcher.ts');
    const { store, settings, clock, deviceOf, problems } = this.#codex;
    const publish: WatcherOptions['publish'] = (to, operations) => this.#codex.publishSync(to, operations);
    const onCompared = (): Promise<void> => this.#compared(notebook.id);
    const options = { notebook, store, settings, now: clock, deviceOf, problems, publish, onCompared };
    return new module.NotebookWatcher(options);
  }

  async #compared(id: number): Promise<void> {
    const now = toTimestamp(this.#codex.clock());
    await this.#codex.store.write('codex reconciled', (tx) => setReconciledAt(tx, id, now));
    this.#codex.notes.wake(id);
    this.#codex.git.checkBranch(id);
  }

  #report(notebookId: number, error: unknown): void {
    this.#codex.problems.report(notebookId, 'watching', error);
  }
}
