import type { PendingRow } from '../model/git/pending-row.ts';
import { FOLDER_MODE, type TreeEntry, type TreeReader } from '../model/git/tree-entry.ts';
import { Breather } from './breather.ts';

/** Net change of one path. */
export interface FoldedChange {
  readonly path: string;
  /** Written content, a moved tree entry, or undefined for a deletion. */
  readonly result: { readonly written: PendingRow } | { readonly moved: TreeEntry } | undefined;
  /** Author of the last change. */
  readonly author: string;
  readonly isExternal: boolean;
  /** Rows behind this change. */
  readonly rows: readonly PendingRow[];
}

export interface Folded {
  readonly changes: readonly FoldedChange[];
  /** Rows behind these changes. */
  readonly rows: readonly PendingRow[];
}

/**
 * Computes the net effect of rows on a tree, path by path. Renaming or deleting a folder includes its files in the tree
 * and those written by earlier rows. Stops before a row that would hide a rename: git recognises one only by a removed
 * and an added path with the same content in one commit.
 */
export async function foldPending(rows: readonly PendingRow[], tree: TreeReader): Promise<Folded> {
  const fold = new Fold(tree);
  const breather = new Breather();
  for (const [index, row] of rows.entries()) {
    if (!(await fold.apply(row))) return { changes: [...fold.changes.values()], rows: rows.slice(0, index) };
    await breather.pause();
  }
  return { changes: [...fold.changes.values()], rows };
}

type Result = NonNullable<FoldedChange['result']>;

class Fold {
  readonly changes = new Map<string, FoldedChange>();
  readonly #tree: TreeReader;
  /** Renamed files of the tree: a later write to the old path is another file. */
  readonly #left = new Set<string>();

  constructor(tree: TreeReader) {
    this.#tree = tree;
  }

  /** Returns false, without applying the row, if it would hide a rename. */
  async apply(row: PendingRow): Promise<boolean> {
    if (row.kind === 'write') {
      const here = this.changes.get(row.path)?.result;
      if (this.#left.has(row.path) || (here !== undefined && 'moved' in here)) return false;
      this.#set(row.path, { written: row }, row, []);
    } else if (row.kind === 'delete') {
      for (const [path] of await this.#filesAt(row.path)) this.#set(path, undefined, row, this.#rowsOf(path));
    } else return this.#rename(row, row.fromPath ?? row.path);
    return true;
  }

  async #rename(row: PendingRow, from: string): Promise<boolean> {
    const files = await this.#filesAt(from);
    const targetOf = (path: string): string => row.path + path.slice(from.length);
    for (const [path, result] of files) if (await this.#isHidden(path, targetOf(path), result)) return false;
    for (const [path, result] of files) {
      const rows = this.#rowsOf(path);
      if (!this.changes.has(path)) this.#left.add(path);
      this.#set(path, undefined, row, rows);
      this.#set(targetOf(path), result, row, rows);
    }
    return true;
  }

  /** True for a file that was edited before its rename, or that takes the name of another. */
  async #isHidden(path: string, target: string, result: Result): Promise<boolean> {
    if ('moved' in result && !this.changes.has(target)) return false;
    const inTree = await this.#tree.entry('moved' in result ? target : path);
    return inTree !== undefined && inTree.mode !== FOLDER_MODE;
  }

  #set(path: string, result: FoldedChange['result'], row: PendingRow, earlier: readonly PendingRow[]): void {
    const rows = new Set([...this.#rowsOf(path), ...earlier, row]);
    const isExternal = [...rows].every((one) => one.isExternal);
    this.changes.set(path, { path, result, author: row.author, isExternal, rows: [...rows] });
  }

  #rowsOf(path: string): readonly PendingRow[] {
    return this.changes.get(path)?.rows ?? [];
  }

  /** Files at or below a path after the rows so far. */
  async #filesAt(path: string): Promise<[string, Result][]> {
    const found: [string, Result][] = [];
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

/**
 * Rows up to the first that overwrites the version of another writer: that version becomes a commit first. Repeated
 * writes of one writer stay one commit.
 */
export function untilOverwritten(rows: readonly PendingRow[]): readonly PendingRow[] {
  const writers = new Map<string, PendingRow>();
  for (const [index, row] of rows.entries()) {
    if (row.kind !== 'write') continue;
    const last = writers.get(row.path);
    if (last !== undefined && last.hash !== row.hash && writerOf(last) !== writerOf(row)) return rows.slice(0, index);
    writers.set(row.path, row);
  }
  return rows;
}

/** All changes by hand count as one writer. */
function writerOf({ isExternal, author }: PendingRow): string {
  return isExternal ? 'by hand' : `as ${author}`;
}
