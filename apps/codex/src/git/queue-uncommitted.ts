import { isHoldfastError, toTimestamp } from '@holdfast/base';

import { stageContent } from '../adapters/blobs.ts';
import { readFile } from '../adapters/file-content.ts';
import { changedEntries, gitBlobId } from '../adapters/git-content.ts';
import { emptyTree, IndexCopy } from '../adapters/git-index.ts';
import { isAncestor } from '../adapters/git-merge.ts';
import { readHead } from '../adapters/git-repository.ts';
import { CommitTree } from '../adapters/git-objects.ts';
import { Tree } from '../adapters/tree.ts';
import { fileAt } from '../store/files.ts';
import { isPending, queueAgain, type Uncommitted } from '../store/git.ts';
import { findMerge } from '../store/remotes.ts';
import { knownFilesBelow } from '../store/watch-index.ts';
import type { BatchContext } from './notebook-repository.ts';
import { EventLoopYielder } from './event-loop-yielder.ts';
import { FOLDER_MODE, type PendingRow, type TreeEntry } from '../model/git.ts';
import { foldAll } from './plan-batch.ts';

/** Rows per transaction. Keeps transactions short, because other writers wait for them. */
const AT_ONCE = 100;

/**
 * After another program moved the branch, queues content that the folder has and the branch lacks. That program may
 * have committed an older staged version, or created another repository. Skips staged paths. Returns the number of
 * queued paths; undefined if the state cannot be read now.
 */
export async function queueUncommitted(
  context: BatchContext,
  since: string | undefined,
  tip: string | undefined,
): Promise<number | undefined> {
  const { opened, store, notebookId } = context;
  const { repository } = opened;
  const head = await readHead(repository, opened.objects);
  if ('pausedBecause' in head || head.tip !== tip) return undefined;
  const commit = await CommitTree.open(opened.trees, repository, tip);
  using disk = new Tree(repository.folder);
  const yielder = new EventLoopYielder();
  let staged: ReadonlySet<string> | undefined;
  let queued = 0;
  let found: Uncommitted[] = [];
  for (const path of await pathsSince(context, since, tip)) {
    await yielder.pause();
    const one = await compare(context, disk, path, await commit.entry(path));
    if (one === undefined) continue;
    staged ??= await stagedByUser(context, since, tip);
    if (!staged.has(repository.prefix + path) && !isPending(store.reader, notebookId, path)) found.push(one);
    if (found.length < AT_ONCE) continue;
    queued += await queueAgain(store, notebookId, found, toTimestamp(context.clock()));
    found = [];
  }
  return queued + (await queueAgain(store, notebookId, found, toTimestamp(context.clock())));
}

/**
 * Corrects renames after a merge. A pending rename moves the content that the branch has at the old path. The folder
 * follows a merge later than the branch, so the file that was moved in the folder may have had other content. For such
 * files, queues the content of the folder after the renames. Returns the number of queued paths.
 */
export async function queueMoved(
  context: BatchContext,
  rows: readonly PendingRow[],
  tip: string | undefined,
): Promise<number> {
  const { opened, store, notebookId } = context;
  const renames = rows.filter(({ kind }) => kind === 'rename');
  if (renames.length === 0 || findMerge(store.reader, notebookId) === undefined) return 0;
  const results = await foldAll(rows, await CommitTree.open(opened.trees, opened.repository, tip));
  const expected = new Map<string, TreeEntry | undefined>();
  for (const { path: target } of renames) {
    // The branch has nothing to move if the merge removed the old path.
    for (const path of [target, ...knownFilesBelow(store.reader, notebookId, target).map((file) => file.path)]) {
      if (results.get(path) === undefined) expected.set(path, undefined);
    }
  }
  for (const [path, result] of results) if (result !== undefined && 'moved' in result) expected.set(path, result.moved);
  using disk = new Tree(opened.repository.folder);
  const found: Uncommitted[] = [];
  for (const [path, entry] of expected) {
    const one = await compare(context, disk, path, entry);
    if (one !== undefined) found.push(one);
  }
  return queueAgain(store, notebookId, found, toTimestamp(context.clock()));
}

/**
 * Returns the paths that the user has staged. If a commit by the user has undone ours, the index may still have our
 * entries; these do not count as staged by the user. After `git reset --soft` they do count, because the user wants to
 * commit them again.
 */
async function stagedByUser(
  { opened: { repository, objects, guard } }: BatchContext,
  since: string | undefined,
  tip: string | undefined,
): Promise<ReadonlySet<string>> {
  const index = new IndexCopy(repository);
  try {
    const staged = [...(await index.stagedSince(tip)).values()];
    const known = since === undefined ? undefined : await objects.read(since);
    const isAhead = known !== undefined && tip !== undefined && (await isAncestor(repository, known.oid, tip));
    return new Set(staged.filter((change) => !isAhead || !guard.isOwn(change)).map(({ path }) => path));
  } finally {
    index.discard();
  }
}

/**
 * Returns the paths that may differ: those that the new commits changed, or all if the user replaced the repository.
 */
async function pathsSince(
  { opened, store, notebookId }: BatchContext,
  since: string | undefined,
  tip: string | undefined,
): Promise<readonly string[]> {
  const { repository, objects } = opened;
  const none = emptyTree(repository);
  if (since !== undefined && (await objects.read(since)) === undefined) {
    return knownFilesBelow(store.reader, notebookId, '').map(({ path }) => path);
  }
  const changes = await changedEntries(repository, since ?? none, tip ?? none);
  return changes.map(({ path }) => path.slice(repository.prefix.length));
}

/** Returns the change at a path that git lacks, if any. Skips a file whose change the watcher has not reported yet. */
async function compare(
  { store, notebookId, opened, settings }: BatchContext,
  disk: Tree,
  path: string,
  entry: TreeEntry | undefined,
): Promise<Uncommitted | undefined> {
  const file = fileAt(store.reader, notebookId, path);
  try {
    if (file === undefined) {
      const isGone = entry !== undefined && entry.mode !== FOLDER_MODE && disk.state(path) === undefined;
      return isGone ? { path, content: undefined } : undefined;
    }
    if (file.size > settings.git_max_file_bytes || disk.state(path)?.kind !== 'file') return undefined;
    const { bytes, hash } = await readFile(disk, path);
    if (hash !== file.hash || gitBlobId(bytes, opened.repository.objectFormat) === entry?.oid) return undefined;
    return { path, content: await stageContent(opened.repository.folder, bytes) };
  } catch (error) {
    // The file is changing, or a parent of the path is a link.
    if (isHoldfastError(error)) return undefined;
    throw error;
  }
}
