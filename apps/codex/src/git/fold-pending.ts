import type { PendingRow } from '../model/git/pending-row.ts';
import { FOLDER_MODE, type TreeEntry, type TreeReader } from '../model/git/tree-entry.ts';
import { Breather } from './breather.ts';

/** Net change of one path. */
export interface FoldedChange {
  readonly path: string;
  /** Content that was written, an entry of the tree that was moved here, or undefined for nothing. */
  readonly result: { readonly written: PendingRow } | { readonly moved: TreeEntry } | undefined;
  /** Author of the last change. */
  readonly author: string;
  readonly isExternal: boolean;
  /** The steps that led here. */
  readonly rows: readonly PendingRow[];
}

export interface Folded {
  readonly changes: readonly FoldedChange[];
  /** The steps that these changes are the effect of. */
  readonly rows: readonly PendingRow[];
}

/**
 * The net effect of a sequence of steps on a tree, path by path. A folder's rename or deletion takes along what the tree
 * has below it and what earlier steps put there. Ends before a step that would hide a rename: git knows one only by a name
 * that goes and a new one that comes with the same content in one commit.
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
  /** Files of the tree that were renamed: what is written at their old names is another file. */
  readonly #left = new Set<string>();

  constructor(tree: TreeReader) {
    this.#tree = tree;
  }

  /** False when the step would hide a rename. It is not taken then. */
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

  /** A file of the tree that was edited before it is renamed, or takes the name of another that was there. */
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

  /** The file at a path, or all files below it, as the steps so far have left them. */
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
 * The rows up to where somebody writes over what somebody else has written: that version is to be found in history, so it
 * becomes a commit before the next one follows. What one and the same writes again and again stays one commit.
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
