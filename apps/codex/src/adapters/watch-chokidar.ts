import { lstatSync, type Stats } from 'node:fs';
import { join, relative, sep } from 'node:path';

import { watch } from 'chokidar';

export interface TreeSubscription {
  close(): Promise<void>;
}

export interface TreeListener {
  /** Something may have changed at this path of the notebook. */
  readonly onPath: (path: string) => void;
  readonly onError: (error: Error) => void;
  /** A folder was deleted and made again so quickly that what happens in it now may not be told. */
  readonly onReplaced: () => void;
  /** Folders that are not watched. */
  readonly isIgnored: (path: string, isFolder: boolean) => boolean;
}

/**
 * Watches a folder and everything below it, links not followed. Resolves when it does. What kind of event it was is not
 * passed on: it may be late, doubled or joined with another, so that only a look at the path can tell.
 */
export async function watchTree(root: string, listener: TreeListener): Promise<TreeSubscription> {
  const inNotebook = (path: string): string => relative(root, path).split(sep).join('/');
  const folders = new Map<string, string>();
  const watcher = watch(root, {
    ignoreInitial: true,
    followSymlinks: false,
    atomic: false,
    ignorePermissionErrors: true,
    ignored(path: string, stats?: Stats) {
      const inside = inNotebook(path);
      if (inside === '') return false;
      if (listener.isIgnored(inside, stats?.isDirectory() ?? false)) return true;
      if (stats?.isDirectory() === true && !folders.has(path)) folders.set(path, identityOf(stats));
      return false;
    },
  });
  // The library tells folders apart by their names only.
  watcher.on('raw', (_event, name: string | null, where) => {
    const path = join((where as { readonly watchedPath: string }).watchedPath, name ?? '');
    const known = folders.get(path);
    const found = known === undefined ? undefined : lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined || identityOf(found) === known) return;
    folders.delete(path);
    listener.onReplaced();
  });
  watcher.on('all', (event, path) => {
    const inside = inNotebook(path);
    if (event === 'unlinkDir') folders.delete(path);
    if (inside !== '') listener.onPath(inside);
  });
  const ready = new Promise<void>((resolve) => {
    watcher.once('ready', () => resolve());
  });
  watcher.on('error', (error) => listener.onError(error instanceof Error ? error : new Error(String(error))));
  await ready;
  return { close: () => watcher.close() };
}

function identityOf({ ino, birthtimeMs }: Stats): string {
  return `${ino},${birthtimeMs}`;
}
