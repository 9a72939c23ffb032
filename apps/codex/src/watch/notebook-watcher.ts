import { join } from 'node:path';

import { delay, isHoldfastError, SECOND, SerialQueue } from '@holdfast/base';

import { type DeviceOf, identityAt } from '../adapters/notebook-folder.ts';

import { rulesAbove, type TreeSubscription, watchTree } from '../adapters/watch-tree.ts';
import { type Scan, stateOnDisk, scanFolder, scanTree } from '../adapters/watch-scan.ts';
import { codexErrors } from '../model/errors.ts';
import { EXPECTED_REASONS, IgnoreRules } from '../model/ignore-rules.ts';
import type { Notebook } from '../model/notebook.ts';
import { type DiskState, type SyncOperation, looksSame } from '../model/operation.ts';
import { observedPath } from '../model/path.ts';
import type { ProblemReporter } from '../model/failure.ts';
import { milliseconds, type Settings } from '../model/settings.ts';
import type { ReconcileReport, WatcherStatus } from '../operations/notebooks.ts';
import { busyNotebooks, countSyncs } from '../store/events.ts';
import type { Store } from '../store/open.ts';
import { isKnownFolder, knownFile, knownFilesBelow } from '../store/watch-index.ts';
import { unmountedDisks, diskUnmounted, recordDisks, requireFolder } from './disks.ts';
import { differences, examine } from './examine.ts';
import { ImportProgress } from './import-progress.ts';
import { sameState, type Settled, Settling } from './settling.ts';

export interface WatcherOptions {
  readonly notebook: Notebook;
  readonly store: Store;
  /** Puts "sync this path" operations into the queue, in one transaction, in this order. */
  readonly publish: (notebook: Notebook, operations: readonly SyncOperation[]) => Promise<void>;
  readonly settings: Pick<Settings, 'reconcile_interval'>;
  readonly now: () => number;
  readonly deviceOf: DeviceOf;
  /** Called after each comparison of folder and index. */
  readonly onCompared?: () => Promise<void>;
  readonly problems: ProblemReporter;
  /** Tests replace it to simulate systems that cannot watch. */
  readonly watchTree?: typeof watchTree;
}

export interface ReconcileOptions {
  /** Treats files on unmounted disks as deleted. */
  readonly withoutDisks?: boolean;
}

const TICK_MS = 60;
const SKIPPED_SHOWN_MAX = 100;
const LOOKS_AT_ONCE = 256;
const OPERATIONS_AT_ONCE = 500;
/**
 * After this many events without a pause, the system may have dropped some, so the watcher compares the whole folder.
 */
const BURST = 4_000;
const AGAIN_AFTER_ERROR_MS = 5 * SECOND;
const UNWATCHED_MS = 30 * SECOND;
/**
 * Interval between checks of the root. The system does not report that a disk was mounted over the root, or that the
 * folder was replaced.
 */
const ROOT_MS = SECOND / 2;

/** Watches a notebook's folder and queues changes by other programs. */
export class NotebookWatcher {
  readonly #options: WatcherOptions;
  readonly #settling = new Settling();
  /** State of each path when its sync was queued; cleared when the queue is empty. */
  readonly #reported = new Map<string, DiskState>();
  /** Number of entries that the first comparison has reached; null if it is not running. */
  #comparing: number | null = null;
  readonly #progress = new ImportProgress();
  #rules = new IgnoreRules();
  #subscription: TreeSubscription | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reconcileTimer: NodeJS.Timeout | undefined;
  #rootTimer: NodeJS.Timeout | undefined;
  #root = '';
  /** Mount points inside the notebook at the last comparison, mounted or not. */
  #disks: readonly string[] = [];
  readonly #starts = new SerialQueue();
  #working: Promise<void> | undefined;
  #isClosed = false;
  #burst = 0;
  #problem: string | null = null;
  #echoes = 0;
  #queued = 0;
  #drift = 0;
  #skipped: WatcherStatus['skipped'] = [];
  /** True if the set of watched folders is out of date. */
  #isOutdated = false;
  /** True if the system limit left some folders unwatched. */
  #isIncomplete = false;

  constructor(options: WatcherOptions) {
    this.#options = options;
  }

  /** Starts watching. Resolves after the first comparison of folder and index. */
  async start(): Promise<void> {
    if (this.#isClosed) return;
    this.#rootTimer = setInterval(() => this.#checkRoot(), ROOT_MS).unref();
    await this.#watchAgain();
  }

  status(): WatcherStatus {
    return {
      watching: this.#subscription !== undefined,
      problem: this.#problem,
      comparing: this.#comparing,
      importing: this.#importing(),
      echoes: this.#echoes,
      queued: this.#queued,
      drift: this.#drift,
      skipped: this.#skipped,
    };
  }

  #importing(): WatcherStatus['importing'] {
    const { notebook, store, now } = this.#options;
    return this.#progress.at(this.#settling.size + countSyncs(store.reader, notebook.id), now());
  }

  /** Compares the whole folder with the index now. */
  async reconcile({ withoutDisks = false }: ReconcileOptions = {}): Promise<ReconcileReport> {
    const { notebook, store, deviceOf } = this.#options;
    requireFolder(store.reader, notebook);
    const rules = rulesAbove(notebook.path);
    const scan = await this.#scan(rules, deviceOf).catch((error: unknown) => {
      throw codexErrors.NOTEBOOK_FOLDER(`The folder ${notebook.path} cannot be read`, { cause: error });
    });
    this.#rules = rules;
    const unexpected = scan.skipped.filter(({ reason }) => !EXPECTED_REASONS.has(reason));
    this.#skipped = unexpected.slice(0, SKIPPED_SHOWN_MAX);
    const away = await recordDisks(store, notebook, scan.disks, { deviceOf, withoutDisks });
    const queuedBefore = this.#queued;
    this.#disks = [...scan.disks, ...away].toSorted();
    const differing = differences(store.reader, notebook, scan, away);
    if (this.#importing() === null) this.#progress.start(differing.length, this.#options.now());
    for (const path of differing) this.#note(path);
    await this.#settled(differing);
    // Throws if the folder has disappeared in the meantime, because the comparison is then incomplete.
    requireFolder(store.reader, notebook);
    await this.#options.onCompared?.();
    const queued = this.#queued - queuedBefore;
    this.#drift += queued;
    const skipped = away.map((path) => ({ path, reason: 'is a disk that is not mounted' }));
    return { seen: scan.files.size, queued, skipped: [...scan.skipped, ...skipped] };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#reconcileTimer);
    clearInterval(this.#rootTimer);
    await this.#unwatch();
    await this.#starts.idle();
    await this.#working?.catch(() => undefined);
  }

  /** Makes the next check of the root restart the watch and compare the whole folder. */
  #lost(): void {
    this.#settling.clear();
    this.#root = '';
  }

  #checkRoot(): void {
    if (this.#identity() !== this.#root) void this.#watchAgain();
  }

  /** Includes disks mounted inside the notebook, because the system does not report when one is mounted. */
  #identity(): string {
    const { notebook, deviceOf } = this.#options;
    const devices = this.#disks.map((path) => deviceOf(join(notebook.path, path)));
    return [identityAt(notebook.path), ...devices].join();
  }

  /** Restarts the watch after the folder or the ignore rules have changed. Retried later if it fails. */
  #watchAgain(): Promise<void> {
    this.#isOutdated = false;
    this.#root = this.#identity();
    return this.#starts.run(() => this.#begin()).catch((error: unknown) => this.#failed(error as Error));
  }

  async #begin(): Promise<void> {
    await this.#unwatch();
    if (this.#isClosed) return;
    this.#isIncomplete = false;
    this.#comparing = 0;
    try {
      await this.#watch();
      await this.reconcile();
    } finally {
      this.#comparing = null;
    }
    this.#recovered();
    this.#reconcileIn(this.#interval());
  }

  async #unwatch(): Promise<void> {
    const subscription = this.#subscription;
    this.#subscription = undefined;
    await subscription?.close();
  }

  async #watch(): Promise<void> {
    const { notebook, store } = this.#options;
    const { path } = notebook;
    requireFolder(store.reader, notebook);
    this.#rules = rulesAbove(path);
    await this.#scan(this.#rules);
    const subscription = await (this.#options.watchTree ?? watchTree)(path, {
      onPath: (changed) => this.#changed(changed),
      onReplaced: () => {
        this.#isOutdated = true;
        this.#tickSoon();
      },
      onError: (error) => this.#failed(error),
      isIgnored: (inside, isFolder) => this.#isUnwatched(inside, isFolder),
    });
    if (this.#isClosed) await subscription.close();
    else this.#subscription = subscription;
  }

  async #scan(rules: IgnoreRules, deviceOf?: DeviceOf): Promise<Scan> {
    const onSeen = (count: number): void => {
      if (this.#comparing !== null) this.#comparing = count;
    };
    return scanTree(this.#options.notebook.path, rules, { deviceOf, onSeen });
  }

  /** Watches everything except `.git`, `.codex` and ignored folders. Changes to ignored files are dropped later. */
  #isUnwatched(path: string, isFolder: boolean): boolean {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return name === '.git' || name === '.codex' || (isFolder && this.#rules.reason(path, true) !== undefined);
  }

  #changed(path: string): void {
    if (path === '.gitignore' || path.endsWith('/.gitignore')) this.#isOutdated = true;
    if (!this.#isLookedAt(path)) return;
    this.#burst += 1;
    this.#note(path);
  }

  /** Files in the index are checked even if an ignore rule matches, as git does with tracked files. */
  #isLookedAt(path: string): boolean {
    const { notebook, store } = this.#options;
    if ('reason' in observedPath(path)) return false;
    if (this.#rules.reason(path, false) === undefined) return true;
    return knownFile(store.reader, notebook.id, path) !== undefined || isKnownFolder(store.reader, notebook.id, path);
  }

  #note(path: string): void {
    this.#settling.note(path, this.#options.now());
    this.#tickSoon();
  }

  #tickSoon(): void {
    if (this.#isClosed || this.#timer !== undefined || this.#working !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#working = this.#tick()
        .catch((error: unknown) => this.#failed(error as Error))
        .finally(() => {
          this.#working = undefined;
          if (this.#settling.size > 0) this.#tickSoon();
          else this.#rest();
        });
    }, TICK_MS);
    this.#timer.unref();
  }

  /** Checks all waiting paths once. */
  async #tick(): Promise<void> {
    const { notebook, now } = this.#options;
    const settled: Settled[] = [];
    const busy = this.#settling.busyFolders();
    let looked = 0;
    for (const path of this.#settling.paths()) {
      const state = stateOnDisk(notebook.path, path);
      if (state?.kind === 'folder' && !this.#isFolderLookedAt(path)) this.#settling.forget(path);
      // A new folder may have been filled before it was watched.
      else if (state?.kind === 'folder') this.#lookInto(path);
      const done = this.#settling.look(path, state, now(), state?.kind === 'folder' && busy.has(path));
      if (done !== undefined) settled.push(done);
      if (done?.state?.kind === 'folder') this.#lookForMissing(path);
      looked += 1;
      if (looked % LOOKS_AT_ONCE === 0) await new Promise((resume) => setImmediate(resume));
    }
    try {
      await this.#report(settled);
    } catch (error) {
      // If the folder is missing, compares everything once it is back. Otherwise checks these paths again.
      if (isAway(error)) this.#lost();
      else for (const { path } of settled) this.#settling.note(path, now());
      throw error;
    }
  }

  async #report(settled: readonly Settled[]): Promise<void> {
    const { notebook, store, publish, deviceOf } = this.#options;
    requireFolder(store.reader, notebook);
    const away = unmountedDisks(store.reader, notebook, deviceOf);
    const gone = this.#settling.gone();
    const { operations, covered, echoes } = await examine(store.reader, notebook, settled, {
      gone,
      away,
      reported: this.#reported,
    });
    for (let at = 0; at < operations.length; at += OPERATIONS_AT_ONCE) {
      await publish(notebook, operations.slice(at, at + OPERATIONS_AT_ONCE));
    }
    for (const path of covered) this.#settling.forget(path);
    for (const { path, state } of settled) if (state !== undefined) this.#reported.set(path, state);
    this.#echoes += echoes;
    this.#queued += operations.length;
  }

  #isFolderLookedAt(path: string): boolean {
    const { notebook, store } = this.#options;
    return this.#rules.reason(path, true) === undefined || isKnownFolder(store.reader, notebook.id, path);
  }

  #lookInto(folder: string): void {
    const { notebook, store } = this.#options;
    for (const path of scanFolder(notebook.path, folder, this.#rules)) {
      const known = knownFile(store.reader, notebook.id, path);
      const state = stateOnDisk(notebook.path, path);
      if (state === undefined || (known !== undefined && looksSame(state, known))) continue;
      if (sameState(this.#reported.get(path), state)) continue;
      if (state.kind === 'folder' && isKnownFolder(store.reader, notebook.id, path)) continue;
      this.#settling.noteNew(path, this.#options.now());
    }
  }

  /** Checks the known files of a recreated folder, because they may have disappeared without events. */
  #lookForMissing(folder: string): void {
    const { notebook, store, now } = this.#options;
    for (const { path } of knownFilesBelow(store.reader, notebook.id, folder)) {
      if (stateOnDisk(notebook.path, path) === undefined) this.#settling.noteNew(path, now());
    }
  }

  /** Runs when no path is waiting. */
  #rest(): void {
    if (this.#isClosed) return;
    const { notebook, store } = this.#options;
    if (!busyNotebooks(store.reader).includes(notebook.id)) this.#reported.clear();
    const wasBurst = this.#burst >= BURST;
    this.#burst = 0;
    if (this.#isOutdated) void this.#watchAgain();
    else if (wasBurst) this.#reconcileIn(0);
  }

  #reconcileIn(delayMs: number): void {
    if (this.#isClosed) return;
    clearTimeout(this.#reconcileTimer);
    this.#reconcileTimer = setTimeout(() => {
      if (this.#subscription === undefined || this.#isIncomplete) void this.#watchAgain();
      else
        void this.reconcile()
          .then(() => this.#recovered())
          .catch((error: unknown) => this.#troubled(error as Error))
          .finally(() => this.#reconcileIn(this.#interval()));
    }, delayMs);
    this.#reconcileTimer.unref();
  }

  #interval(): number {
    const interval = milliseconds(this.#options.settings.reconcile_interval);
    return this.#problem === null ? interval : Math.min(interval, UNWATCHED_MS);
  }

  /** Compares the folder again later, because events may be missing after any error. */
  #failed(error: Error & { code?: string }): void {
    const isLimit = error.code === 'ENOSPC' || error.code === 'EMFILE';
    if (isLimit) this.#isIncomplete = true;
    this.#troubled(isLimit ? limitReached(error) : error);
    this.#reconcileIn(AGAIN_AFTER_ERROR_MS);
  }

  #troubled(error: Error): void {
    this.#problem = error.message;
    this.#options.problems.report(this.#options.notebook.id, 'watching', error);
  }

  #recovered(): void {
    if (this.#isIncomplete) return;
    const { notebook, store, deviceOf } = this.#options;
    const away = unmountedDisks(store.reader, notebook, deviceOf);
    if (away.length > 0) return this.#troubled(diskUnmounted(notebook, away));
    this.#problem = null;
    this.#options.problems.clear(notebook.id, 'watching');
  }

  async #settled(paths: readonly string[]): Promise<void> {
    const waiting = new Set(paths);
    while (!this.#isClosed && waiting.size > 0) {
      await delay(TICK_MS / 2);
      if (this.#working !== undefined) await this.#working.catch(() => undefined);
      for (const path of waiting) if (!this.#settling.has(path)) waiting.delete(path);
    }
    await this.#working?.catch(() => undefined);
  }
}

function limitReached(cause: NodeJS.ErrnoException): Error {
  const what = `The system cannot watch more files (${cause.code}): raise fs.inotify.max_user_watches.`;
  return codexErrors.WATCH_LIMIT(`${what} Until then, periodic comparison finds changes`, { cause });
}

function isAway(error: unknown): boolean {
  return isHoldfastError(error, codexErrors.NOTEBOOK_AWAY.code);
}
