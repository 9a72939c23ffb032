import { lstatSync, type Stats } from 'node:fs';
import { join, relative, sep } from 'node:path';

import { watch } from 'chokidar';

export interface TreeSubscription {
  close(): Promise<void>;
}

export interface TreeListener {
  /** A path of the notebook may have changed. */
  readonly onPath: (path: string) => void;
  readonly onError: (error: Error) => void;
  /** A folder was deleted and recreated so quickly that its events may be missing. */
  readonly onReplaced: () => void;
  /** Paths that are not watched. */
  readonly isIgnored: (path: string, isFolder: boolean) => boolean;
}

/**
 * Watches a folder recursively without following links; resolves once it is watching. Drops the kind of each event,
 * because events may be late, repeated or merged: only the disk tells.
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
  // The library recognises folders by name only.
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
