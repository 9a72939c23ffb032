import { Breather } from './breather.ts';
import type { PendingRow } from './pending-row.ts';
import { FOLDER_MODE, type TreeEntry } from './tree-entry.ts';

/** The tree that the next commit is built on. Paths are those of the notebook. */
export interface TreeReader {
  entry(path: string): Promise<TreeEntry | undefined>;
  /** Every file below a folder. */
  filesBelow(folder: string): Promise<readonly (readonly [path: string, entry: TreeEntry])[]>;
}

/** What becomes of one path. */
export interface FoldedChange {
  readonly path: string;
  /** Content that was written, an entry of the tree that was moved here, or undefined for nothing. */
  readonly result: { readonly written: PendingRow } | { readonly moved: TreeEntry } | undefined;
  /** Whoever changed the path last. */
  readonly author: string;
  readonly isExternal: boolean;
  /** The steps that led here. */
  readonly rows: readonly PendingRow[];
}

/**
 * The net effect of a sequence of steps on a tree, path by path. A folder's rename or deletion takes along what the tree
 * has below it and what earlier steps put there.
 */
export async function foldPending(rows: readonly PendingRow[], tree: TreeReader): Promise<FoldedChange[]> {
  const fold = new Fold(tree);
  const breather = new Breather();
  for (const row of rows) {
    await fold.apply(row);
    await breather.pause();
  }
  return [...fold.changes.values()];
}

class Fold {
  readonly changes = new Map<string, FoldedChange>();
  readonly #tree: TreeReader;

  constructor(tree: TreeReader) {
    this.#tree = tree;
  }

  async apply(row: PendingRow): Promise<void> {
    if (row.kind === 'write') this.#set(row.path, { written: row }, row, []);
    else if (row.kind === 'delete') {
      for (const [path] of await this.#filesAt(row.path)) this.#set(path, undefined, row, this.#rowsOf(path));
    } else {
      const from = row.fromPath ?? row.path;
      for (const [path, result] of await this.#filesAt(from)) {
        const rows = this.#rowsOf(path);
        this.#set(path, undefined, row, rows);
        this.#set(row.path + path.slice(from.length), result, row, rows);
      }
    }
  }

  #set(path: string, result: FoldedChange['result'], row: PendingRow, earlier: readonly PendingRow[]): void {
    const rows = new Set([...this.#rowsOf(path), ...earlier, row]);
    const isExternal = [...rows].every((one) => one.isExternal);
    this.changes.set(path, { path, result, author: row.author, isExternal, rows: [...rows] });
  }

  #rowsOf(path: string): readonly PendingRow[] {
    return this.changes.get(path)?.rows ?? [];
  }

  /** The file at a path, or all files below it, as the steps so far have left them. */
  async #filesAt(path: string): Promise<[string, NonNullable<FoldedChange['result']>][]> {
    const found: [string, NonNullable<FoldedChange['result']>][] = [];
    const inTree = await this.#tree.entry(path);
    if (inTree !== undefined) {
      const files = inTree.mode === FOLDER_MODE ? await this.#tree.filesBelow(path) : [[path, inTree] as const];
      for (const [file, entry] of files) if (!this.changes.has(file)) found.push([file, { moved: entry }]);
    }
    for (const change of this.changes.values()) {
      if (change.result === undefined) continue;
      if (change.path === path || change.path.startsWith(`${path}/`)) found.push([change.path, change.result]);
    }
    return found;
  }
}
