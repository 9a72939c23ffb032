import type { Notebook } from '../../model/notebook.ts';
import { findNotebook, listNotebooks } from '../../store/notebooks.ts';
import { markStale } from '../../store/notes/stale-notes.ts';
import type { CodexContext } from '../context.ts';
import { catchUp, type CaughtUp } from './catch-up.ts';

/** Indexes in the background what the queue left over, one notebook at a time. */
export class NoteIndex {
  readonly #codex: CodexContext;
  readonly #waiting = new Set<number>();
  #running: Promise<void> | undefined;
  #isStarted = false;
  #isClosed = false;

  constructor(codex: CodexContext) {
    this.#codex = codex;
  }

  start(): void {
    this.#isStarted = true;
    this.wakeAll();
  }

  wakeAll(): void {
    for (const { id } of listNotebooks(this.#codex.store.reader)) this.wake(id);
  }

  /** Schedules a notebook. Only the process that works on queues does this. */
  wake(notebookId: number): void {
    if (!this.#isStarted || this.#isClosed) return;
    this.#waiting.add(notebookId);
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
  }

  /** Resolves when the index matches the files. */
  catchUp(notebook: Notebook): Promise<CaughtUp> {
    return catchUp(this.#codex, notebook, () => !this.#isClosed);
  }

  /** Indexes all files again. Search uses the old index meanwhile. */
  async rebuild(notebook: Notebook): Promise<CaughtUp> {
    await this.#codex.store.derive((tx) => markStale(tx, notebook.id));
    return this.catchUp(notebook);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    for (const id of this.#waiting) {
      this.#waiting.delete(id);
      const notebook = findNotebook(this.#codex.store.reader, id);
      if (notebook?.state !== 'active' || this.#isClosed) continue;
      try {
        await this.catchUp(notebook);
        this.#codex.problems.clear(id, 'notes');
      } catch (error) {
        if (!this.#isClosed) this.#codex.problems.report(id, 'notes', error);
      }
    }
  }
}
