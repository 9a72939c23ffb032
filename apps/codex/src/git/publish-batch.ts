import { failpoint, syncFolder } from '@holdfast/base';

import { changedEntries } from '../adapters/git-content.ts';
import { type IndexChange, IndexCopy } from '../adapters/git-index.ts';
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
import type { IndexGuard } from './index-guard.ts';
import type { BatchContext } from './notebook-repository.ts';

interface Publication {
  readonly repository: Repository;
  readonly guard: IndexGuard;
  readonly branch: string;
  readonly from: string | undefined;
  readonly to: string;
  readonly keptBy: string;
  readonly reason: string;
  readonly changes: readonly IndexChange[];
  readonly index: IndexCopy;
  /** Index entries that the user has staged, by path, according to the copy of the index. */
  readonly staged: ReadonlyMap<string, unknown>;
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
 * fails if the branch has moved since. In the other order, a commit by the user could undo ours. If another process
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
  const { index, guard, changes, to } = publication;
  index.replaceIndex(to);
  failpoint('codex.git.index');
  const result = await move(publication).catch((error: unknown) => {
    index.putBack(to);
    throw error;
  });
  if (result === 'raced') index.putBack(to);
  else {
    index.keep(to);
    guard.add(changes);
  }
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
function unstaged(changes: readonly IndexChange[], staged: ReadonlyMap<string, unknown>): readonly IndexChange[] {
  if (staged.size === 0) return changes;
  const folders = new Set([...staged.keys()].flatMap(ancestorsOf));
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
        opened.guard.add(changes);
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
