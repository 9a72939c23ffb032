import { failpoint, syncFolder } from '@holdfast/base';

import { changedEntries } from '../adapters/git-content.ts';
import { type IndexChange, IndexCopy, indexIdentity } from '../adapters/git-index.ts';
import { takeIndexLock } from '../adapters/git-locks.ts';
import {
  type BranchMoved,
  currentBranch,
  moveBranch,
  readHead,
  type Repository,
  syncBranch,
} from '../adapters/git-repository.ts';
import { ancestorsOf } from '../model/path.ts';
import { indexOwedFrom, markIndexCurrent, lastCommit } from '../store/git.ts';
import type { BatchContext, NotebookRepository } from './notebook-repository.ts';

interface Publication {
  readonly repository: Repository;
  readonly branch: string;
  readonly from: string | undefined;
  readonly to: string;
  readonly keptBy: string;
  readonly reason: string;
  readonly changes: readonly IndexChange[];
  readonly index: IndexCopy;
  /** Paths that the user has staged, according to the copy of the index. */
  readonly staged: ReadonlySet<string>;
  /** True if we already hold the index lock. */
  readonly isLocked: boolean;
}

interface Published {
  readonly result: 'moved' | 'raced';
  readonly isIndexCurrent: boolean;
}

/**
 * Makes new commits visible: replaces the user's index and moves the branch while holding the index lock. All slow work
 * is done before the lock is taken. The index comes first, because `git commit` reads the branch, then the index, and
 * fails if the branch has moved since. In the other order, a commit of the user could undo ours. If another process
 * holds the lock, only the branch moves, and the index is updated later.
 */
export async function publishBatch(publication: Publication): Promise<Published> {
  const { repository, branch, index } = publication;
  await index.update(unstaged(publication.changes, publication.staged));
  const release = publication.isLocked ? () => undefined : await takeIndexLock(repository);
  try {
    if (release !== undefined && !index.isCurrent) await redo(publication);
    if ((await currentBranch(repository)) !== branch) return { result: 'raced', isIndexCurrent: false };
    failpoint('codex.git.ready');
    const result = await (release === undefined ? move(publication) : moveWithIndex(publication));
    if (result === 'raced') return { result, isIndexCurrent: false };
  } finally {
    release?.();
  }
  await syncBranch(repository, branch);
  await syncFolder(repository.gitDir);
  return { result: 'moved', isIndexCurrent: release !== undefined };
}

async function moveWithIndex(publication: Publication): Promise<BranchMoved> {
  const { index, to } = publication;
  index.replaceIndex(to);
  failpoint('codex.git.index');
  const result = await move(publication).catch((error: unknown) => {
    index.putBack(to);
    throw error;
  });
  if (result === 'raced') index.putBack(to);
  else index.keep(to);
  return result;
}

async function move({ repository, branch, from, to, keptBy: drop, reason }: Publication): Promise<BranchMoved> {
  const result = await moveBranch(repository, { branch, from, to, drop, reason });
  if (result === 'moved') failpoint('codex.git.moved');
  return result;
}

/** Prepares the copy of the index again, because the user has changed the index since it was copied. */
async function redo({ index, from, changes }: Publication): Promise<void> {
  index.take();
  await index.update(unstaged(changes, await index.stagedSince(from)));
}

/** Leaves out staged paths, and paths that would replace a staged one. */
function unstaged(changes: readonly IndexChange[], staged: ReadonlySet<string>): readonly IndexChange[] {
  if (staged.size === 0) return changes;
  const folders = new Set([...staged].flatMap(ancestorsOf));
  return changes.filter(({ path, entry }) => {
    if (staged.has(path)) return false;
    if (entry === undefined) return true;
    return !folders.has(path) && !ancestorsOf(path).some((folder) => staged.has(folder));
  });
}

/**
 * Updates the user's index if an earlier batch could not. Entries that match the commit before that batch get the
 * content of the tip; staged paths stay. Returns false while another process holds the index lock.
 */
export async function updateOutdatedIndex(context: BatchContext, patienceMs?: number): Promise<boolean> {
  const { opened, store, notebookId } = context;
  const { repository } = opened;
  const from = indexOwedFrom(store.reader, notebookId);
  if (from === undefined) return true;
  const head = await readHead(repository, opened.objects);
  if ('pausedBecause' in head || head.tip === undefined) return false;
  const release = await takeIndexLock(repository, patienceMs);
  if (release === undefined) return false;
  try {
    // If the user has switched the branch or replaced the repository, git has already written a new index.
    const isHere = (await opened.objects.read(from)) !== undefined;
    if (isHere && lastCommit(store.reader, notebookId)?.branch === head.branch) {
      const index = new IndexCopy(repository);
      try {
        const changes = await changedEntries(repository, from, head.tip);
        await index.update(unstaged(changes, await index.stagedSince(from)));
        index.replaceIndex(head.tip);
        index.keep(head.tip);
      } finally {
        index.discard();
      }
    }
  } finally {
    release();
  }
  await store.write('index settled', (tx) => markIndexCurrent(tx, notebookId));
  return true;
}

export interface IndexGuard {
  readonly from: string | undefined;
  readonly to: string;
  readonly changes: readonly IndexChange[];
  /** Identity of the index file that we wrote. While the file is the same, nothing has to be restored. */
  readonly identity: string;
}

const PATIENCE_MS = 500;

/**
 * For a short time after a commit, restores index entries that a git command has reverted. git reads the index before
 * it takes the lock. So a command that the user started just before we replaced the index may write the old entries
 * back. The user's next commit would then undo ours.
 */
export async function guardIndex(opened: NotebookRepository, guard: IndexGuard): Promise<IndexGuard> {
  const { repository } = opened;
  if (indexIdentity(repository) === guard.identity) return guard;
  const head = await readHead(repository, opened.objects);
  if ('pausedBecause' in head || head.tip !== guard.to) return { ...guard, identity: indexIdentity(repository) };
  const index = new IndexCopy(repository);
  try {
    // Checks before taking the lock, because `git add` and `git commit` of the user fail while it is held.
    if ((await lostFrom(index, guard)).length === 0) return { ...guard, identity: index.identity };
    const release = await takeIndexLock(repository, PATIENCE_MS);
    if (release === undefined) return guard;
    try {
      index.take();
      const lost = await lostFrom(index, guard);
      if (lost.length > 0) {
        await index.update(lost);
        index.replaceIndex(guard.to);
        index.keep(guard.to);
      }
    } finally {
      release();
    }
  } finally {
    index.discard();
  }
  return { ...guard, identity: indexIdentity(repository) };
}

/** Returns the reverted entries, except paths that the user has staged. */
async function lostFrom(index: IndexCopy, { from, to, changes }: IndexGuard): Promise<readonly IndexChange[]> {
  const differing = await index.stagedSince(to);
  const stale = changes.filter(({ path }) => differing.has(path));
  return stale.length === 0 ? [] : unstaged(stale, await index.stagedSince(from));
}
