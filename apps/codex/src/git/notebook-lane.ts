import { isHoldfastError, MINUTE, SECOND, SerialQueue, type SerialQueues } from '@holdfast/base';

import { describeOldLock, withRepositoryLock } from '../adapters/git-locks.ts';
import { findIndexLock, type IndexLock, isRepositoryThere, needsRepack, repack } from '../adapters/git-repository.ts';
import { codexErrors } from '../model/errors.ts';
import type { Notebook } from '../model/notebook.ts';
import { milliseconds } from '../model/settings.ts';
import { clearRecorded, countPendingAfter, countRequestedAfter, hasPendingUpTo, lastCommit } from '../store/git.ts';
import { findNotebook } from '../store/notebooks.ts';
import { type BatchOutcome, commitBatch } from './commit-batch.ts';
import {
  type BatchContext,
  type NotebookRepository,
  openNotebookRepository,
  type GitContext,
} from './notebook-repository.ts';
import { type MergeContext, settleMerge } from './merge-remote.ts';
import { updateOutdatedIndex } from './publish-batch.ts';
import { queueUncommitted } from './queue-uncommitted.ts';

/** Decides when pending changes are committed. */
export interface BatchPolicy {
  /** Commits after this many milliseconds without a change. */
  readonly quietMs: number;
  /** Commits at the latest this many milliseconds after the first change. */
  readonly maxWaitMs: number;
  /**
   * Number of requested changes that trigger a commit. Changes by other programs do not: an import of thousands of files
   * would make a commit for every hundred of them.
   */
  readonly maxCount: number;
}

interface Waiting {
  readonly count: number;
  /** How many of them were requested; the others were made by other programs. */
  readonly requested: number;
  /** Times of the first and last pending change, in milliseconds since 1970. */
  readonly firstAt: number;
  readonly lastAt: number;
}

/**
 * Returns the time of the next commit: after a quiet time, at the latest after the maximum wait, and immediately if
 * there are many requested changes. Returns undefined if nothing is pending.
 */
export function commitAt(waiting: Waiting, policy: BatchPolicy): number | undefined {
  if (waiting.count === 0) return undefined;
  if (waiting.requested >= policy.maxCount) return waiting.firstAt;
  return Math.min(waiting.lastAt + policy.quietMs, waiting.firstAt + policy.maxWaitMs);
}

export interface LaneStatus {
  readonly pending: number;
  /** Why codex cannot commit at the moment. */
  readonly problem: string | null;
  /** Paths that the user has staged. codex leaves them to the user's own commit. */
  readonly held: readonly string[];
  /** The index lock, if another process holds it or left it. codex updates the index once the lock is gone. */
  readonly index_lock: IndexLock | null;
  readonly last_commit: string | null;
}

const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 30 * SECOND;
const HELD_AGAIN_MS = 2 * SECOND;
const INDEX_AGAIN_MS = 500;
const IDLE_MS = MINUTE;
const COUNTED_MAX = 1_000_000;

/** Commits the pending changes of one notebook, on request or when the policy says so. */
export class NotebookLane {
  readonly #context: GitContext;
  /** Queues by repository, so that notebooks in the same repository take turns. */
  readonly #queues: SerialQueues;
  readonly #policy: BatchPolicy;
  readonly #notebookId: number;
  readonly #folder: string;
  #opened: Promise<NotebookRepository> | undefined;
  /** Number of the last pending row at the last attempt to commit. The policy counts only later rows. */
  #tried = 0;
  #firstAt: number | undefined;
  #lastAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  #failures = 0;
  #problem: string | null = null;
  #held: readonly string[] = [];
  #tip: string | null = null;
  /** Tip of the branch when it last matched the folder. Any later commits were made by other programs. */
  #seen: string | undefined;
  readonly #commits = new SerialQueue();
  #isClosed = false;

  constructor(context: GitContext, queues: SerialQueues, { id, path }: Notebook) {
    this.#context = context;
    this.#queues = queues;
    this.#notebookId = id;
    this.#folder = path;
    const { settings } = context;
    this.#policy = {
      quietMs: milliseconds(settings.git_quiet_interval),
      maxWaitMs: milliseconds(settings.git_commit_interval),
      maxCount: settings.git_commit_max_files,
    };
  }

  scheduleCommit(): void {
    const now = this.#context.clock();
    this.#firstAt ??= now;
    this.#lastAt = now;
    const { reader } = this.#context.store;
    const count = countPendingAfter(reader, this.#notebookId, this.#tried, 1);
    const requested = countRequestedAfter(reader, this.#notebookId, this.#tried, this.#policy.maxCount);
    const at = commitAt({ count, requested, firstAt: this.#firstAt, lastAt: now }, this.#policy);
    // While git fails, a new change must not shorten the retry delay.
    if (at !== undefined && this.#failures === 0) this.#schedule(at - now, true);
  }

  /**
   * Commits the changes that are pending now, and continues until no change up to the event `barrier` is pending.
   * Leaves out paths that the user has staged. `words` replace the generated subject of the message.
   */
  async flush(barrier?: number, words?: string): Promise<string | null> {
    for (;;) {
      await this.#run(words);
      if (barrier === undefined || this.#held.length > 0) return this.#tip;
      if (!hasPendingUpTo(this.#context.store.reader, this.#notebookId, barrier)) return this.#tip;
    }
  }

  async status(): Promise<LaneStatus> {
    let problem = this.#problem;
    const opened = await this.#open().catch((error: unknown) => {
      problem ??= error instanceof Error ? error.message : String(error);
    });
    if (opened !== undefined) {
      await this.checkBranch();
      problem ??= describeOldLock(opened.repository) ?? null;
    }
    return {
      pending: countPendingAfter(this.#context.store.reader, this.#notebookId, 0, COUNTED_MAX),
      problem,
      held: this.#held,
      index_lock: opened === undefined ? null : (findIndexLock(opened.repository) ?? null),
      last_commit: this.#tip,
    };
  }

  /** If another program moved the branch, schedules a commit of content that the branch now lacks. */
  async checkBranch(): Promise<void> {
    const seen = this.#seen ?? lastCommit(this.#context.store.reader, this.#notebookId)?.sha;
    if (seen === undefined || this.#isClosed) return;
    const head = await this.#open()
      .then(({ objects }) => objects.read('HEAD'))
      .catch(() => undefined);
    if (head?.oid !== seen) this.#schedule(this.#policy.quietMs, false);
  }

  /**
   * Commits what is pending, then lets `work` move the branch. Until `work` ends, nothing else commits in the
   * repository.
   */
  moveBranch<T extends { readonly tip: string }>(work: (context: MergeContext) => Promise<T>): Promise<T> {
    return this.#commits.run(async () => {
      const opened = await this.#open();
      const { repository } = opened;
      return this.#queues.run(repository.commonDir, () =>
        withRepositoryLock(repository, 'lane', async () => {
          await this.#commitAll(opened, undefined);
          const result = await work({ ...this.#context, notebookId: this.#notebookId, opened });
          this.#seen = result.tip;
          this.#tip = result.tip;
          return result;
        }),
      );
    });
  }

  repository(): Promise<NotebookRepository> {
    return this.#open();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    await this.#commits.idle();
    await this.#closeRepository();
  }

  async #closeRepository(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    const repository = await opened?.catch(() => undefined);
    repository?.close();
  }

  #schedule(delayMs: number, mayDelay: boolean): void {
    const at = this.#context.clock() + Math.max(0, delayMs);
    if (this.#isClosed) return;
    // A new change restarts the quiet time, so it may delay the commit. All other calls may only make the commit
    // earlier.
    if (!mayDelay && at >= this.#timerAt) return;
    this.#cancel();
    this.#timerAt = at;
    this.#timer = setTimeout(() => this.#runUnlessPaused(), Math.max(0, delayMs));
    this.#timer.unref();
  }

  #runUnlessPaused(): void {
    this.#cancel();
    const pausedAt = findNotebook(this.#context.store.reader, this.#notebookId)?.paused_at ?? null;
    if (pausedAt !== null) this.#schedule(HELD_AGAIN_MS, false);
    else void this.#run().catch(() => undefined);
  }

  #cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#timerAt = Number.POSITIVE_INFINITY;
  }

  #run(words?: string): Promise<void> {
    this.#cancel();
    return this.#commits.run(() => this.#commit(words));
  }

  async #commit(words: string | undefined): Promise<void> {
    if (this.#isClosed) throw codexErrors.GIT_UNAVAILABLE('The notebook is being closed');
    this.#firstAt = undefined;
    try {
      const opened = await this.#open();
      const { repository } = opened;
      const outcome = await this.#queues.run(repository.commonDir, () =>
        withRepositoryLock(repository, 'lane', () => this.#commitAll(opened, words)),
      );
      this.#failures = 0;
      this.#problem = null;
      this.#context.problems.clear(this.#notebookId, 'git');
      this.#after(outcome, opened);
    } catch (error) {
      this.#failed(error);
      throw error;
    }
  }

  async #commitAll(opened: NotebookRepository, words: string | undefined): Promise<BatchOutcome> {
    const { store } = this.#context;
    const notebookId = this.#notebookId;
    await clearRecorded(store, notebookId);
    await settleMerge({ ...this.#context, notebookId, opened });
    this.#seen ??= lastCommit(store.reader, notebookId)?.sha;
    for (;;) {
      const context = { ...this.#context, notebookId, opened, lastSeen: this.#seen, words };
      const outcome = await commitBatch(context);
      this.#tip = outcome.tip ?? null;
      this.#tried = Math.max(this.#tried, outcome.lastRow);
      if (outcome.base === this.#seen) this.#seen = outcome.tip;
      if (!outcome.isComplete || (await this.#catchUp(context, outcome.tip))) continue;
      const isSettled = await updateOutdatedIndex(context, outcome.isIndexCurrent ? undefined : 0);
      return { ...outcome, isIndexCurrent: isSettled };
    }
  }

  /**
   * If another program moved the branch, queues the content that the branch lacks (see `queueUncommitted`). Returns
   * whether there is such content.
   */
  async #catchUp(context: BatchContext, tip: string | undefined): Promise<boolean> {
    const since = this.#seen;
    if (since === tip) return false;
    // If codex has never committed in this notebook, the initial comparison with the folder has already found all
    // changes.
    const queued = since === undefined ? 0 : await queueUncommitted(context, since, tip);
    if (queued !== undefined) this.#seen = tip;
    return queued !== undefined && queued > 0;
  }

  #after(outcome: BatchOutcome, opened: NotebookRepository): void {
    this.#held = outcome.held;
    if (!outcome.isIndexCurrent) this.#schedule(INDEX_AGAIN_MS, false);
    else if (outcome.held.length > 0) this.#schedule(HELD_AGAIN_MS, false);
    else if (outcome.commits > 0) this.#tidyWhenIdle(opened);
  }

  #failed(error: unknown): void {
    this.#failures += 1;
    this.#problem = error instanceof Error ? error.message : String(error);
    this.#context.problems.report(this.#notebookId, 'git', error);
    const isPaused = isHoldfastError(error, codexErrors.GIT_PAUSED.code);
    // While git is paused, checks at a fixed interval, because the check is cheap. After a failure, the delay grows,
    // because a retry may be costly.
    const delayMs = isPaused ? HELD_AGAIN_MS : Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** this.#failures);
    this.#schedule(delayMs * (0.75 + this.#context.random() / 2), false);
    if (isPaused) return;
    // Opens the repository again next time, because the user may have created or deleted one in the meantime.
    void this.#closeRepository();
  }

  /** Many commits leave many packs, which slow git down; joins them when idle. */
  #tidyWhenIdle(opened: NotebookRepository): void {
    if (!needsRepack(opened.repository)) return;
    const seen = this.#lastAt;
    const timer = setTimeout(() => {
      if (this.#isClosed || this.#lastAt !== seen) return;
      const { commonDir } = opened.repository;
      void this.#queues.run(commonDir, () => repack(opened.repository)).catch(() => undefined);
    }, IDLE_MS);
    timer.unref();
  }

  /** Reopens the repository if the user has deleted it. */
  async #open(): Promise<NotebookRepository> {
    const last = this.#opened;
    const opened = await last;
    const isGone = opened !== undefined && !isRepositoryThere(opened.repository);
    if (isGone && this.#opened === last) await this.#closeRepository();
    this.#opened ??= openNotebookRepository(this.#folder, () => void this.checkBranch()).catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }
}
