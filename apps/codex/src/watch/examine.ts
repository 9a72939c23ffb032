import { hashFile } from '../adapters/file-content.ts';
import { Tree } from '../adapters/tree.ts';
import { stateOnDisk, type Scan } from '../adapters/watch-scan.ts';
import { type DiskState, type SyncOperation, looksSame } from '../model/operation.ts';
import type { Notebook } from '../model/notebook.ts';
import { isBelow, type NotebookPath } from '../model/path.ts';
import type { Transaction } from '../store/open.ts';
import * as watchIndex from '../store/watch-index.ts';
import { isOnUnmountedDisk } from './disks.ts';
import { joinMoves, type Move } from './find-moves.ts';
import { sameState, type Settled } from './settling.ts';

export interface Examined {
  readonly operations: readonly SyncOperation[];
  /** Paths that need no operation of their own, because a move includes them. */
  readonly covered: readonly string[];
  /** Number of paths that already match the index, mostly because codex itself made the change. */
  readonly echoes: number;
}

/**
 * Compares settled paths with the index, and returns the sync operations to queue. A path that matches the index is
 * unchanged; a file that left one path and appeared at another was moved.
 */
export async function examine(
  tx: Transaction,
  notebook: Notebook,
  settled: readonly Settled[],
  { gone, away, reported }: Examination,
): Promise<Examined> {
  const operations: SyncOperation[] = [];
  const news = settled
    .filter(({ path, state }) => !isOnUnmountedDisk(path, state === undefined, away))
    .map((one) => ({ ...one, known: watchIndex.knownFile(tx, notebook.id, one.path) }));
  const appeared = news.filter(({ state, known }) => state?.kind === 'file' && known === undefined);
  const left = [...gone, ...news.filter(isGone).map(({ path }) => path)];
  const moves = await findMoves(tx, notebook, appeared, left, away);
  const covered = new Set<string>();
  for (const { from, to } of moves.folders) operations.push(...folderMoved(tx, notebook, from, to, covered));
  for (const { from, to } of moves.files) {
    operations.push(operation(to, 'moved', from));
    covered.add(from).add(to);
  }
  let echoes = 0;
  for (const { path, state, known } of inOrder(news)) {
    if (covered.has(path)) continue;
    const event = newsAt(tx, notebook, path, state, known);
    if (event === undefined) echoes += 1;
    // If a sync of this path is queued, it will read this change when it runs. A running sync counts only if it was
    // queued for the same state, because it may have read the disk before a later change.
    else if (!watchIndex.isSyncQueued(tx, notebook.id, path, isReported(path, state, reported)))
      operations.push(operation(path, event));
  }
  return { operations, covered: [...covered], echoes };
}

interface Examination {
  /** Paths that were missing when they were last checked. */
  readonly gone: readonly string[];
  /** Disks that are not mounted. */
  readonly away: readonly string[];
  /** State of each path when its sync was queued. */
  readonly reported: ReadonlyMap<string, DiskState>;
}

type News = Settled & { readonly known: watchIndex.KnownFile | undefined };

function isReported(path: string, state: DiskState | undefined, reported: Examination['reported']): boolean {
  return state !== undefined && sameState(reported.get(path), state);
}

function isGone({ state }: Settled): boolean {
  return state === undefined;
}

/** Sorts folders before their entries, and deletions last. */
function inOrder(news: readonly News[]): readonly News[] {
  const rank = ({ state }: News): number => (state === undefined ? 2 : state.kind === 'folder' ? 0 : 1);
  return news.toSorted((left, right) => rank(left) - rank(right) || (left.path < right.path ? -1 : 1));
}

function newsAt(
  tx: Transaction,
  notebook: Notebook,
  path: string,
  state: DiskState | undefined,
  known: watchIndex.KnownFile | undefined,
): SyncOperation['event'] | undefined {
  const isFolderKnown = known === undefined && watchIndex.isKnownFolder(tx, notebook.id, path);
  // Links, pipes and devices do not belong to a notebook.
  if (state === undefined || state.kind === 'other')
    return known !== undefined || isFolderKnown ? 'deleted' : undefined;
  if (state.kind === 'folder') return isFolderKnown ? undefined : 'created';
  if (known === undefined) return 'created';
  return looksSame(state, known) && state.mode === known.mode ? undefined : 'modified';
}

async function findMoves(
  tx: Transaction,
  notebook: Notebook,
  appeared: readonly News[],
  gone: readonly string[],
  away: readonly string[],
): Promise<ReturnType<typeof joinMoves>> {
  const moves: Move[] = [];
  const taken = new Set<string>();
  const left = leftBehind(tx, notebook, gone);
  for (const { path, state } of appeared) {
    if (state === undefined) continue;
    const from =
      byInode(tx, notebook, state, taken) ?? (await byHash(tx, notebook, path, left.get(state.size) ?? false, taken));
    if (from === undefined || isOnUnmountedDisk(from, true, away)) continue;
    taken.add(from);
    moves.push({ from, to: path });
  }
  return joinMoves(moves, {
    hasLeft: (folder) =>
      watchIndex.isKnownFolder(tx, notebook.id, folder) && stateOnDisk(notebook.path, folder) === undefined,
    isNew: (folder) =>
      !watchIndex.isKnownFolder(tx, notebook.id, folder) && stateOnDisk(notebook.path, folder)?.kind === 'folder',
  });
}

/**
 * Returns the sizes of known files that are missing. A new file with another size cannot be one of them, so it is not
 * read.
 */
function leftBehind(tx: Transaction, notebook: Notebook, gone: readonly string[]): ReadonlyMap<number, boolean> {
  const sizes = new Map<number, boolean>();
  for (const path of gone) {
    const file = watchIndex.knownFile(tx, notebook.id, path);
    const files = file === undefined ? watchIndex.knownFilesBelow(tx, notebook.id, path) : [file];
    for (const { size } of files) sizes.set(size, true);
  }
  return sizes;
}

/** An inode may be reused, so size and modification time must match too. A rename keeps both. */
function byInode(
  tx: Transaction,
  notebook: Notebook,
  state: DiskState,
  taken: ReadonlySet<string>,
): string | undefined {
  const known = watchIndex.knownByInode(tx, notebook.id, state.inode);
  return known.find(
    ({ path, size, mtime_ns: mtime }) =>
      size === state.size &&
      mtime === state.mtime_ns &&
      !taken.has(path) &&
      stateOnDisk(notebook.path, path) === undefined,
  )?.path;
}

async function byHash(
  ...[tx, notebook, path, isPossible, taken]: [Transaction, Notebook, string, boolean, ReadonlySet<string>]
): Promise<string | undefined> {
  if (!isPossible) return undefined;
  using tree = new Tree(notebook.path);
  const hash = await hashFile(tree, path).then(
    (observed) => observed.hash,
    // The file is changing again and will get another event.
    () => undefined,
  );
  const known = hash === undefined ? [] : watchIndex.knownByHash(tx, notebook.id, hash);
  return known.find(({ path: from }) => !taken.has(from) && stateOnDisk(notebook.path, from) === undefined)?.path;
}

/** Returns a sync of the moved folder, then one for each entry that differs. */
function folderMoved(
  tx: Transaction,
  notebook: Notebook,
  from: string,
  to: string,
  covered: Set<string>,
): SyncOperation[] {
  const operations = [operation(to, 'moved', from)];
  covered.add(from).add(to);
  for (const file of watchIndex.knownFilesBelow(tx, notebook.id, from)) {
    const target = to + file.path.slice(from.length);
    const state = stateOnDisk(notebook.path, target);
    covered.add(file.path).add(target);
    if (state?.size !== file.size || state.mtime_ns !== file.mtime_ns) operations.push(operation(target, 'look'));
  }
  for (const folder of watchIndex.knownFolders(tx, notebook.id).filter((path) => isBelow(path, from))) {
    const target = to + folder.slice(from.length);
    covered.add(folder).add(target);
    if (stateOnDisk(notebook.path, target)?.kind !== 'folder') operations.push(operation(target, 'look'));
  }
  return operations;
}

function operation(path: string, event: SyncOperation['event'], from?: string): SyncOperation {
  const checked = path as NotebookPath;
  return from === undefined
    ? { type: 'sync', path: checked, event }
    : { type: 'sync', path: checked, event, from: from as NotebookPath };
}

/** Returns the paths at which folder and index differ. */
export function differences(
  tx: Transaction,
  notebook: Notebook,
  scan: Scan,
  away: readonly string[],
): readonly string[] {
  const files = watchIndex.knownFilesBelow(tx, notebook.id, '');
  const known = new Map(files.map((file) => [file.path, file]));
  const differing: string[] = [];
  for (const [path, state] of scan.files) {
    const file = known.get(path);
    if (file === undefined || !looksSame(state, file)) differing.push(path);
  }
  // The scan leaves out ignored files. Files in the index are checked even if they are ignored.
  for (const { path } of files) if (!scan.files.has(path)) differing.push(path);
  const folders = new Set(watchIndex.knownFolders(tx, notebook.id));
  for (const folder of scan.folders) if (!folders.has(folder)) differing.push(folder);
  for (const folder of folders) if (!scan.folders.has(folder)) differing.push(folder);
  return away.length === 0
    ? differing
    : differing.filter((path) => !isOnUnmountedDisk(path, !scan.folders.has(path), away));
}
