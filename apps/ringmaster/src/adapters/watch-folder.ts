import { type FSWatcher, mkdirSync, watch } from 'node:fs';

export interface FolderChanges {
  readonly wake: () => void;
  /** Whatever happened until now is known. */
  readonly forget: () => void;
  /** Resolves when something may have changed since `forget`. */
  readonly next: () => Promise<void>;
  readonly close: () => void;
}

/** The system's hints may get lost, so it is looked now and then anyhow. */
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
    // Out of watches: then only the clock helps.
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
