import type { Notebook } from '../../model/notebook.ts';
import { findNotebook, listNotebooks } from '../../store/notebooks.ts';
import { markStale } from '../../store/notes/stale-notes.ts';
import type { CodexContext } from '../context.ts';
import { catchUp, type CaughtUp } from './catch-up.ts';

/** The index of notes beside the queue: what the queue could not do in passing is done here, one notebook at a time. */
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

  /** Something was left over. A process that does not work on queues leaves it to one that does. */
  wake(notebookId: number): void {
    if (!this.#isStarted || this.#isClosed) return;
    this.#waiting.add(notebookId);
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
  }

  /** Until the index knows what the files say. */
  catchUp(notebook: Notebook): Promise<CaughtUp> {
    return catchUp(this.#codex, notebook, () => !this.#isClosed);
  }

  /** Everything that is known from the content of files is made again. Search goes on with what there is meanwhile. */
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
