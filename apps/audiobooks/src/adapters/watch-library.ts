import { join, relative, sep } from 'node:path';

import { isIgnored } from '../scan/units.ts';

export interface WatchOptions {
  readonly root: string;
  /** Folders in which something changed, relative to the root; called again for what changes meanwhile. */
  readonly onChange: (folders: readonly string[]) => Promise<void>;
  readonly onProblem: (message: string) => void;
  /** How long nothing must have happened before the changes are handed over: copying takes a while. */
  readonly quietMs?: number;
  readonly signal: AbortSignal;
}

const QUIET_MS = 2_000;
/** What goes wrong is tried again after a time that doubles up to this: a disk may be away for long. */
const AGAIN_MAX_MS = 60_000;
/** So many folders at once are a new library, or one that was moved: looking at all of it is quicker. */
const FOLDERS_MAX = 500;

/**
 * Watches a library until it is told to stop, and gathers what happens in it. It only says where to look; what is there
 * is found out by a scan, so that events that are lost or come twice do no harm.
 */
export async function watchLibrary(options: WatchOptions): Promise<void> {
  const { root, signal } = options;
  const { watch } = await import('chokidar');
  const gathered = new Gathered(options);
  const watcher = watch(root, {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (path) => path !== root && isIgnored(path.slice(path.lastIndexOf(sep) + 1)),
  });
  watcher.on('all', (_event, path) => gathered.add(path));
  watcher.on('error', (error) => options.onProblem(String(error)));
  try {
    await new Promise<void>((resolve) => {
      watcher.on('ready', resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    // What was changed before the watch was complete would be seen by nobody.
    if (!signal.aborted) gathered.add(root);
    if (!signal.aborted)
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  } finally {
    await gathered.stop();
    await watcher.close();
  }
}

class Gathered {
  readonly #options: WatchOptions;
  readonly #folders = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;
  #failures = 0;

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
        this.#running = this.#running.then(() => this.#handOver());
      },
      Math.max(quietMs, Math.min(AGAIN_MAX_MS, quietMs * 2 ** this.#failures)),
    );
  }

  async #handOver(): Promise<void> {
    const folders = [...this.#folders];
    this.#folders.clear();
    if (folders.length === 0 || this.#isStopped) return;
    try {
      await this.#options.onChange(folders.length > FOLDERS_MAX || folders.includes('') ? [''] : withoutInner(folders));
      this.#failures = 0;
    } catch (error) {
      this.#failures += 1;
      this.#options.onProblem(error instanceof Error ? error.message : String(error));
      // Whatever went wrong, it has to be looked at again.
      for (const folder of folders) this.add(join(this.#options.root, folder, 'again'));
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
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
