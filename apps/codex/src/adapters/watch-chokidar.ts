import { type Stats } from 'node:fs';
import { relative, sep } from 'node:path';

import { watch } from 'chokidar';

export interface TreeSubscription {
  close(): Promise<void>;
}

export interface TreeListener {
  /** Something may have changed at this path of the notebook. */
  readonly onPath: (path: string) => void;
  readonly onError: (error: Error) => void;
  /** Folders that are not watched. */
  readonly isIgnored: (path: string, isFolder: boolean) => boolean;
}

/**
 * Watches a folder and everything below it, links not followed. Resolves when it does. What kind of event it was is not
 * passed on: it may be late, doubled or joined with another, so that only a look at the path can tell.
 */
export async function watchTree(root: string, listener: TreeListener): Promise<TreeSubscription> {
  const inNotebook = (path: string): string => relative(root, path).split(sep).join('/');
  const watcher = watch(root, {
    ignoreInitial: true,
    followSymlinks: false,
    atomic: false,
    ignorePermissionErrors: true,
    ignored(path: string, stats?: Stats) {
      const inside = inNotebook(path);
      return inside !== '' && listener.isIgnored(inside, stats?.isDirectory() ?? false);
    },
  });
  watcher.on('all', (_event, path) => {
    const inside = inNotebook(path);
    if (inside !== '') listener.onPath(inside);
  });
  const ready = new Promise<void>((resolve) => {
    watcher.once('ready', () => resolve());
  });
  watcher.on('error', (error) => listener.onError(error instanceof Error ? error : new Error(String(error))));
  await ready;
  return { close: () => watcher.close() };
}
