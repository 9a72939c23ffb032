import { basename, join, relative, sep } from 'node:path';

import { isHoldfastError, SerialQueue } from '@holdfast/base';

import { isIgnored } from '../model/names/file-name.ts';
import { every } from './process.ts';
import { folderIdentity } from './library-root.ts';

export interface WatchOptions {
  readonly root: string;
  /**
   * Receives the changed folders, relative to the root. If more folders change during a call, another call follows.
   */
  readonly onChange: (folders: readonly string[]) => Promise<void>;
  readonly onProblem: (message: string) => void;
  /** Quiet time before `onChange` is called, so that copying a book causes only one call. */
  readonly quietMs?: number;
  /** Interval between checks that the path still leads to the watched folder. */
  readonly lookMs?: number;
  readonly signal: AbortSignal;
}

const QUIET_MS = 2_000;
const LOOK_MS = 30_000;
/** Upper bound of the delay before a retry. The delay doubles after each failure. */
const AGAIN_MAX_MS = 60_000;
/** If more folders than this have changed, the watcher scans the whole library, because that is then faster. */
const FOLDERS_MAX = 500;

/** Watches a library until aborted. Events only say which folders to scan, so lost or repeated events do no harm. */
export async function watchLibrary(options: WatchOptions): Promise<void> {
  const { signal } = options;
  const gathered = new Gathered(options);
  try {
    while (!signal.aborted) await watchFolder(options, gathered);
  } finally {
    await gathered.stop();
  }
}

/**
 * Watches until another folder replaces the root, for example when a disk is remounted. The new root needs a new watch.
 */
async function watchFolder(options: WatchOptions, gathered: Gathered): Promise<void> {
  const { root, signal, lookMs = LOOK_MS } = options;
  const { watch } = await import('chokidar');
  const watched = folderIdentity(root);
  const isOther = (): boolean => folderIdentity(root) !== watched;
  let hasGone = false;
  const watcher = watch(root, {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (path) => path !== root && isIgnored(path.slice(path.lastIndexOf(sep) + 1)),
  });
  watcher.on('all', (_event, path) => gathered.add(path));
  // A rename event with the root's name means that the root no longer exists.
  watcher.on('raw', (event, name, details) => {
    const { watchedPath } = details as { readonly watchedPath?: string };
    if (event !== 'rename' || watchedPath !== root || name !== basename(root)) return;
    hasGone = true;
    gathered.add(root);
  });
  watcher.on('error', (error) => options.onProblem(String(error)));
  const stopLooking = every(lookMs, () => void (isOther() && gathered.addUnlessWaiting(root)));
  const ended = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
    gathered.onHandedOver = (error) => {
      if (error !== undefined) hasGone ||= isHoldfastError(error, 'LIBRARY_UNAVAILABLE');
      else if (hasGone || isOther()) resolve();
    };
  });
  try {
    await Promise.race([ended, new Promise<void>((resolve) => void watcher.on('ready', resolve))]);
    // Scans the whole library once: changes that happened before the watch was ready caused no events.
    if (!signal.aborted) gathered.add(root);
    await ended;
  } finally {
    stopLooking();
    await watcher.close();
  }
}

class Gathered {
  readonly #options: WatchOptions;
  readonly #folders = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  readonly #runs = new SerialQueue();
  #isStopped = false;
  #failures = 0;
  /** Called after each call of `onChange`, with the error if `onChange` failed. */
  onHandedOver: (error?: unknown) => void = () => undefined;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** Adds the folder of a changed path. */
  add(path: string): void {
    const { root, quietMs = QUIET_MS } = this.#options;
    if (this.#isStopped) return;
    const inside = relative(root, path).split(sep).join('/');
    const folder = inside.includes('/') ? inside.slice(0, inside.lastIndexOf('/')) : '';
    this.#folders.add(inside === '' ? '' : folder);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        void this.#runs.run(() => this.#handOver());
      },
      Math.max(quietMs, Math.min(AGAIN_MAX_MS, quietMs * 2 ** this.#failures)),
    );
  }

  /** Adds a folder only if no other folder is pending, because `add` would restart the quiet time. */
  addUnlessWaiting(path: string): void {
    if (this.#folders.size === 0) this.add(path);
  }

  async #handOver(): Promise<void> {
    const folders = [...this.#folders];
    this.#folders.clear();
    if (folders.length === 0 || this.#isStopped) return;
    try {
      await this.#options.onChange(folders.length > FOLDERS_MAX || folders.includes('') ? [''] : withoutInner(folders));
      this.#failures = 0;
      this.onHandedOver();
    } catch (error) {
      this.#failures += 1;
      this.onHandedOver(error);
      this.#options.onProblem(error instanceof Error ? error.message : String(error));
      for (const folder of folders) this.add(join(this.#options.root, folder, 'again'));
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#runs.idle();
  }
}

/** Drops folders that are inside another folder in the list. */
function withoutInner(folders: readonly string[]): readonly string[] {
  const all = new Set(folders);
  return folders.filter((folder) => {
    for (let above = folder; above.includes('/');) {
      above = above.slice(0, above.lastIndexOf('/'));
      if (all.has(above)) return false;
    }
    return true;
  });
}
