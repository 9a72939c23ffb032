import { basename, join, relative, sep } from 'node:path';

import { isHoldfastError, SerialQueue } from '@holdfast/base';

import { isIgnored } from '../model/names/ignored.ts';
import { every } from './every.ts';
import { folderIdentity } from './library-root.ts';

export interface WatchOptions {
  readonly root: string;
  /** Folders in which something changed, relative to the root; called again for what changes meanwhile. */
  readonly onChange: (folders: readonly string[]) => Promise<void>;
  readonly onProblem: (message: string) => void;
  /** How long nothing must have happened before the changes are handed over: copying takes a while. */
  readonly quietMs?: number;
  /** How often it is looked whether the root is still the folder that is watched. */
  readonly lookMs?: number;
  readonly signal: AbortSignal;
}

const QUIET_MS = 2_000;
const LOOK_MS = 30_000;
/** What goes wrong is tried again after a time that doubles up to this: a disk may be away for long. */
const AGAIN_MAX_MS = 60_000;
/** So many folders at once are a new library, or one that was moved: looking at all of it is quicker. */
const FOLDERS_MAX = 500;

/**
 * Watches a library until it is told to stop, and gathers what happens in it. It only says where to look; what is there
 * is found out by a scan, so that events that are lost or come twice do no harm.
 */
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
 * Until the folder went and one is there again: a disk that was taken away and is back is watched by nobody, although it
 * may look the same. Whether it is back, and not only the empty place to mount it, a scan tells by succeeding.
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
  // What is told of the root under its own name is its end: what happens in it comes under the name of what is in it.
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
    // What was changed before the watch was complete would be seen by nobody.
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
  /** After changes were taken in, or with what went wrong. */
  onHandedOver: (error?: unknown) => void = () => undefined;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** The folder of what changed; the folder above too, because a new disc changes the book it belongs to. */
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

  /** What waits is not made to wait longer. */
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
      // Whatever went wrong, it has to be looked at again.
      for (const folder of folders) this.add(join(this.#options.root, folder, 'again'));
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#runs.idle();
  }
}

/** A folder inside another one that is looked at anyway. */
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
