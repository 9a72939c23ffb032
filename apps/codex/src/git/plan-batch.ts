import {
  EXECUTABLE_MODE,
  FILE_MODE,
  FOLDER_MODE,
  formatIdentity,
  type Identity,
  parseIdentity,
  type PendingRow,
  type TreeEntry,
  type TreeReader,
} from '../model/git.ts';
import { ancestorsOf } from '../model/path.ts';
import { EventLoopYielder } from './event-loop-yielder.ts';

/** One changed path in a commit. */
export type PlannedChange = PlannedDelete | PlannedWrite;

interface PlannedDelete {
  readonly kind: 'delete';
  readonly path: string;
  readonly before: TreeEntry;
}

interface PlannedWrite {
  readonly kind: 'write';
  readonly path: string;
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry;
  /** The row with the content; undefined if the repository already has the content. */
  readonly source: PendingRow | undefined;
}

export interface PlannedCommit {
  readonly author: Identity;
  readonly changes: readonly PlannedChange[];
  readonly eventIds: readonly number[];
}

interface RefusedChange {
  readonly path: string;
  readonly reason: string;
}

export interface BatchPlan {
  readonly commits: readonly PlannedCommit[];
  /** Rows that this batch finishes, without those for paths that the user has staged. */
  readonly rows: readonly PendingRow[];
  /** Paths that stay out of git, with the reason. */
  readonly refused: readonly RefusedChange[];
  /** Paths that the user has staged and will commit. */
  readonly held: readonly string[];
}

interface PlanInput {
  readonly rows: readonly PendingRow[];
  readonly changes: readonly FoldedChange[];
  readonly tipEntry: (path: string) => TreeEntry | undefined;
  /** Returns the blob id of a row, and whether the repository already has the blob. */
  readonly blobOf: (row: PendingRow) => { readonly oid: string; readonly isStored: boolean };
  /** Returns the reason to keep a path out of git, if any. */
  readonly refusal: (path: string, written: PendingRow | undefined) => string | undefined;
  readonly isStagedByUser: (path: string) => boolean;
  /** True if the user has committed a later state of the path and that state is on disk. */
  readonly isOvertaken: (path: string) => boolean;
  /** Author of changes made outside of codex, and of events without an author. */
  readonly fallbackAuthor: Identity;
}

/**
 * Plans one commit per author, in order of their first change. Leaves out changes that the tip already has, and paths
 * that the user will commit.
 */
export function planBatch(input: PlanInput): BatchPlan {
  const refused: RefusedChange[] = [];
  const held: string[] = [];
  const heldRows = new Set<PendingRow>();
  const groups = new Groups(input.fallbackAuthor);
  for (const change of input.changes) {
    const planned = planChange(change, input);
    if (planned === undefined || input.isOvertaken(change.path)) continue;
    const written = change.result !== undefined && 'written' in change.result ? change.result.written : undefined;
    const reason = planned.kind === 'write' ? input.refusal(change.path, written) : undefined;
    if (reason !== undefined) refused.push({ path: change.path, reason });
    else if (isUsers(change, input)) {
      held.push(change.path);
      for (const row of change.rows) heldRows.add(row);
    } else groups.add(change, planned);
  }
  const commits = withoutUndoing(groups.commits());
  return { commits, rows: input.rows.filter((row) => !heldRows.has(row)), refused, held };
}

interface Group {
  readonly author: Identity;
  readonly changes: PlannedChange[];
  readonly eventIds: number[];
}

class Groups {
  readonly #fallback: Identity;
  readonly #byIdentity = new Map<string, Group>();
  /** A cache, because parsing an author is slow. The key `undefined` stands for changes by other programs. */
  readonly #byWriter = new Map<string | undefined, Group>();

  constructor(fallback: Identity) {
    this.#fallback = fallback;
  }

  add(change: FoldedChange, planned: PlannedChange): void {
    const writer = change.isExternal ? undefined : change.author;
    const group = this.#byWriter.get(writer) ?? this.#groupOf(writer);
    this.#byWriter.set(writer, group);
    group.changes.push(planned);
    // A row has the event id 0 if its event no longer exists.
    for (const { eventId } of change.rows) if (eventId > 0) group.eventIds.push(eventId);
  }

  commits(): readonly PlannedCommit[] {
    return [...this.#byIdentity.values()];
  }

  #groupOf(writer: string | undefined): Group {
    const author = parseIdentity(writer, this.#fallback);
    const key = formatIdentity(author);
    const group = this.#byIdentity.get(key) ?? { author, changes: [], eventIds: [] };
    this.#byIdentity.set(key, group);
    return group;
  }
}

/** Returns whether the user will commit the change: the user edited the file outside Holdfast and staged it. */
function isUsers(change: FoldedChange, input: PlanInput): boolean {
  return (
    change.isExternal &&
    change.rows.every((row) => row.kind !== 'rename' && row.path === change.path) &&
    input.isStagedByUser(change.path)
  );
}

function planChange(change: FoldedChange, { tipEntry, blobOf }: PlanInput): PlannedChange | undefined {
  const { path, result } = change;
  const before = tipEntry(path);
  if (result === undefined) {
    return before === undefined || before.mode === FOLDER_MODE ? undefined : { kind: 'delete', path, before };
  }
  const written = 'written' in result ? result.written : undefined;
  const blob = written === undefined ? undefined : blobOf(written);
  const source = blob?.isStored === false ? written : undefined;
  const after = 'moved' in result ? result.moved : { mode: modeOf(result.written), oid: blob?.oid ?? '' };
  if (before !== undefined && before.mode === after.mode && before.oid === after.oid) return undefined;
  return { kind: 'write', path, before, after, source };
}

function modeOf(row: PendingRow): string {
  return row.isExecutable ? EXECUTABLE_MODE : FILE_MODE;
}

/**
 * Drops deletions that would undo an earlier commit: after one author has replaced the file `a` with `a/b`, another
 * author's deletion of `a` would delete `a/b`.
 */
function withoutUndoing(commits: readonly PlannedCommit[]): PlannedCommit[] {
  const foldersWritten = new Set<string>();
  const kept: PlannedCommit[] = [];
  for (const commit of commits) {
    const changes = commit.changes.filter(({ kind, path }) => kind === 'write' || !foldersWritten.has(path));
    for (const { kind, path } of changes)
      if (kind === 'write') ancestorsOf(path).forEach((folder) => foldersWritten.add(folder));
    const last = kept.at(-1);
    // Makes no empty commit. The events of a commit without changes go into the commit before it.
    if (changes.length > 0) kept.push({ ...commit, changes });
    else if (last !== undefined) kept[kept.length - 1] = { ...last, eventIds: [...last.eventIds, ...commit.eventIds] };
  }
  return kept;
}

export interface FoldedChange {
  readonly path: string;
  /** Written content, a moved tree entry, or undefined for a deletion. */
  readonly result: { readonly written: PendingRow } | { readonly moved: TreeEntry } | undefined;
  readonly author: string;
  readonly isExternal: boolean;
  readonly rows: readonly PendingRow[];
}

interface Folded {
  readonly changes: readonly FoldedChange[];
  readonly rows: readonly PendingRow[];
}

/**
 * Computes the net effect of rows on a tree, path by path. Renaming or deleting a folder includes its files in the tree
 * and those written by earlier rows. Stops before a row that would hide a rename: git recognises a rename only if one
 * commit removes a path and adds the same content at another.
 */
export async function foldPending(rows: readonly PendingRow[], tree: TreeReader): Promise<Folded> {
  const fold = new Fold(tree);
  const yielder = new EventLoopYielder();
  for (const [index, row] of rows.entries()) {
    if (!(await fold.apply(row))) return { changes: [...fold.changes.values()], rows: rows.slice(0, index) };
    await yielder.pause();
  }
  return { changes: [...fold.changes.values()], rows };
}

/** Like `foldPending`, but does not stop at a row that hides a rename. Returns the changes by path. */
export async function foldAll(
  rows: readonly PendingRow[],
  tree: TreeReader,
): Promise<ReadonlyMap<string, FoldedChange['result']>> {
  const fold = new Fold(tree, true);
  for (const row of rows) await fold.apply(row);
  return new Map([...fold.changes].map(([path, { result }]) => [path, result]));
}

type Result = NonNullable<FoldedChange['result']>;

class Fold {
  readonly changes = new Map<string, FoldedChange>();
  readonly #tree: TreeReader;
  /** Old paths of renamed files. A later write to such a path creates another file. */
  readonly #left = new Set<string>();

  readonly #mayHideRenames: boolean;

  constructor(tree: TreeReader, mayHideRenames = false) {
    this.#tree = tree;
    this.#mayHideRenames = mayHideRenames;
  }

  /** Returns false, without applying the row, if it would hide a rename. */
  async apply(row: PendingRow): Promise<boolean> {
    if (row.kind === 'write') {
      const here = this.changes.get(row.path)?.result;
      const hidesRename = this.#left.has(row.path) || (here !== undefined && 'moved' in here);
      if (hidesRename && !this.#mayHideRenames) return false;
      this.#set(row.path, { written: row }, row, []);
    } else if (row.kind === 'delete') {
      for (const [path] of await this.#filesAt(row.path)) this.#set(path, undefined, row, this.#rowsOf(path));
    } else return this.#rename(row, row.fromPath ?? row.path);
    return true;
  }

  async #rename(row: PendingRow, from: string): Promise<boolean> {
    const files = await this.#filesAt(from);
    const targetOf = (path: string): string => row.path + path.slice(from.length);
    for (const [path, result] of files) if (await this.#hidesRename(path, targetOf(path), result)) return false;
    for (const [path, result] of files) {
      const rows = this.#rowsOf(path);
      if (!this.changes.has(path)) this.#left.add(path);
      this.#set(path, undefined, row, rows);
      this.#set(targetOf(path), result, row, rows);
    }
    return true;
  }

  /**
   * Returns whether git would miss the rename of this file. This happens if an earlier row edited the file, or changed
   * another file that the tree has at the new path. Always returns false if renames may be hidden.
   */
  async #hidesRename(path: string, target: string, result: Result): Promise<boolean> {
    if (this.#mayHideRenames || ('moved' in result && !this.changes.has(target))) return false;
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

  /** Returns the files that are at or below a path after the rows applied so far. */
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
 * Returns the rows before the first one that overwrites another writer's version, so that this version gets its own
 * commit. Repeated writes by one writer stay in one commit.
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

/** All changes by other programs count as one writer. */
function writerOf({ isExternal, author }: PendingRow): string {
  return isExternal ? 'by hand' : `as ${author}`;
}
