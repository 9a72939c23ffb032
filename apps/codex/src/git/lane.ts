import { SerialQueues } from '@holdfast/base';

import { codexErrors } from '../model/errors.ts';
import { notebooksWithPending } from '../store/git.ts';
import { findNotebook } from '../store/notebooks.ts';
import type { MergeContext } from './merge-remote.ts';
import { type LaneStatus, NotebookLane } from './notebook-lane.ts';
import type { GitContext, NotebookRepository } from './notebook-repository.ts';

export class GitLanes {
  readonly #context: GitContext;
  readonly #queues = new SerialQueues();
  readonly #lanes = new Map<number, NotebookLane>();

  constructor({ store, settings, clock, random, problems }: GitContext) {
    this.#context = { store, settings, clock, random, problems };
  }

  /** Schedules commits of changes that were pending before a restart. */
  resume(): void {
    for (const id of notebooksWithPending(this.#context.store.reader)) this.scheduleCommit(id);
  }

  /** Call after adding rows to `git_pending`. Commits later, at the time that `commitAt` returns. */
  scheduleCommit(notebookId: number): void {
    this.#existing(notebookId)?.scheduleCommit();
  }

  /** Commits content of the folder that the branch lacks because another program moved it. */
  checkBranch(notebookId: number): void {
    void this.#existing(notebookId)?.checkBranch();
  }

  /**
   * Commits the pending changes of events up to `barrier`, or of all events if there is no `barrier`. Leaves out paths
   * that the user has staged. Resolves with the tip of the branch, or null if it has no commit. `words` replace the
   * generated subject of the message.
   */
  flush(notebookId: number, barrier?: number, words?: string): Promise<string | null> {
    return this.#lane(notebookId).flush(barrier, words);
  }

  /** Commits what is pending, then lets `work` move the notebook's branch. */
  moveBranch<T extends { readonly tip: string }>(
    notebookId: number,
    work: (context: MergeContext) => Promise<T>,
  ): Promise<T> {
    return this.#lane(notebookId).moveBranch(work);
  }

  status(notebookId: number): Promise<LaneStatus> {
    return this.#lane(notebookId).status();
  }

  repository(notebookId: number): Promise<NotebookRepository> {
    return this.#lane(notebookId).repository();
  }

  /** Stops all work on a notebook that is being removed. */
  async forget(notebookId: number): Promise<void> {
    const lane = this.#lanes.get(notebookId);
    this.#lanes.delete(notebookId);
    await lane?.close();
  }

  /** Tries to commit all pending changes, then stops. */
  async close(): Promise<void> {
    // Changes that cannot be committed now stay in the database until the next start.
    const waiting = notebooksWithPending(this.#context.store.reader).filter((id) => this.#lanes.has(id));
    await Promise.all(waiting.map((id) => this.flush(id).catch(() => undefined)));
    await Promise.all([...this.#lanes.keys()].map((id) => this.forget(id)));
  }

  #lane(notebookId: number): NotebookLane {
    const lane = this.#existing(notebookId);
    if (lane === undefined) throw codexErrors.NOTEBOOK_NOT_FOUND(`There is no notebook ${notebookId}`);
    return lane;
  }

  #existing(notebookId: number): NotebookLane | undefined {
    const known = this.#lanes.get(notebookId);
    if (known !== undefined) return known;
    const notebook = findNotebook(this.#context.store.reader, notebookId);
    if (notebook === undefined) return undefined;
    const lane = new NotebookLane(this.#context, this.#queues, notebook);
    this.#lanes.set(notebookId, lane);
    return lane;
  }
}
