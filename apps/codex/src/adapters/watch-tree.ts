import { closeSync, existsSync, lstatSync, readFileSync, type Stats } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

import { openBeneath } from '@holdfast/base';
import { watch } from 'chokidar';

import { IgnoreRules } from '../model/ignore-rules.ts';

export interface TreeSubscription {
  close(): Promise<void>;
}

interface TreeListener {
  /** Called when a path in the notebook may have changed. */
  readonly onPath: (path: string) => void;
  readonly onError: (error: Error) => void;
  /** Called when a folder was deleted and recreated so quickly that its events may be missing. */
  readonly onReplaced: () => void;
  readonly isIgnored: (path: string, isFolder: boolean) => boolean;
}

/**
 * Watches a folder recursively without following links; resolves once it is watching. Reports only the path of an
 * event: events may be late, repeated or merged, so the caller has to check the disk.
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
  // The library compares folders by name only, so it does not notice a folder that was deleted and created again.
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

/**
 * Returns the ignore rules that git applies to a folder from outside it: `info/exclude` of its repository, and the
 * `.gitignore` files of its parents within the repository.
 */
export function rulesAbove(root: string): IgnoreRules {
  const repository = repositoryAround(root);
  if (repository === undefined) return new IgnoreRules();
  const names = relative(repository, root)
    .split(sep)
    .filter((name) => name !== '');
  const rules = new IgnoreRules(names.map((name) => `${name}/`).join(''));
  addFrom(rules, '', repository, '.git/info/exclude');
  for (const depth of names.keys()) {
    const above = names
      .slice(0, depth)
      .map((name) => `${name}/`)
      .join('');
    addFrom(rules, above, repository, `${above}.gitignore`);
  }
  return rules;
}

function repositoryAround(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : repositoryAround(parent);
}

function addFrom(rules: IgnoreRules, folder: string, repository: string, path: string): void {
  const text = readBeneath(repository, path);
  if (text !== undefined) rules.addAt(folder, text);
}

/** Returns undefined if the file is missing or behind a link. */
function readBeneath(root: string, path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openBeneath(root, path);
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
