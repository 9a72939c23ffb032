import { type FSWatcher, mkdirSync, watch } from 'node:fs';

export interface FolderChanges {
  readonly wake: () => void;
  /** Marks all changes so far as seen. */
  readonly forget: () => void;
  /** Resolves when something may have changed since `forget`. */
  readonly next: () => Promise<void>;
  readonly close: () => void;
}

/** File system events can get lost, so also poll now and then. */
const LOOK_EVERY = 200;

export function watchFolder(folder: string): FolderChanges {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let hasChanged = false;
  let resume = doNothing;
  const wake = (): void => {
    hasChanged = true;
    resume();
  };
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(folder, wake).on('error', () => undefined);
  } catch {
    // No watch left: rely on polling.
  }
  const timer = setInterval(wake, LOOK_EVERY);
  return {
    wake,
    forget() {
      hasChanged = false;
    },
    next: () =>
      new Promise((resolve) => {
        resume = resolve;
        if (hasChanged) resolve();
      }),
    close() {
      clearInterval(timer);
      watcher?.close();
    },
  };
}

function doNothing(): void {}
