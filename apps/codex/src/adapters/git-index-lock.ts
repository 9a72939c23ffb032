import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { delay, identityOf, isAlive } from '@holdfast/base';
import { runGit } from '@holdfast/git';

import { KEPT } from './git-index.ts';
import type { Repository } from './git-repository.ts';
import { removeLocksFromBeforeBoot } from './git-stale-locks.ts';
import { createOwnLock, isAbandoned, removeStaleLock } from './own-lock.ts';

/** How long to wait for the index lock before going on without it. git holds it for milliseconds. */
const TRY_MS = 2_000;
const PAUSE_MS = 15;

/**
 * Takes the index lock as git does, by creating the file. Returns undefined if somebody else holds it. Removes only a
 * lock that a dead process of ours left.
 */
export async function takeIndexLock(repository: Repository, patienceMs = TRY_MS): Promise<(() => void) | undefined> {
  const path = join(repository.gitDir, 'index.lock');
  const deadline = performance.now() + patienceMs;
  for (;;) {
    if (createOwnLock(path)) return () => rmSync(path, { force: true });
    await removeOwnLeftLock(repository);
    if (performance.now() >= deadline) return undefined;
    await delay(PAUSE_MS * (0.5 + Math.random()));
  }
}

/** Removes locks that no living process can own, and files that dead processes of ours left beside the index. */
export async function removeLeftovers(repository: Repository): Promise<void> {
  await removeOwnLeftLock(repository);
  removeLocksFromBeforeBoot(repository);
  for (const name of readdirSync(repository.gitDir)) {
    const [, pid] = /^(?:codex-index|index\.lock|codex-lane\.lock)\.(\d+)\.\w+(?:\.lock)?$/.exec(name) ?? [];
    if (pid === undefined || Number(pid) === process.pid || isAlive(identityOf(Number(pid)))) continue;
    rmSync(join(repository.gitDir, name), { force: true });
  }
}

async function removeOwnLeftLock(repository: Repository): Promise<void> {
  const path = join(repository.gitDir, 'index.lock');
  if (!isAbandoned(path)) return;
  for (const name of readdirSync(repository.gitDir).filter((one) => one.startsWith(KEPT))) {
    await decideIndex(repository, name);
  }
  removeStaleLock(path, isAbandoned);
}

/** Keeps the new index if the branch has its commit, else restores the old one. */
async function decideIndex(repository: Repository, name: string): Promise<void> {
  const commit = name.slice(KEPT.length);
  const kept = join(repository.gitDir, name);
  const { code } = await runGit(['merge-base', '--is-ancestor', commit, 'HEAD'], {
    folder: repository.root,
    expected: [1, 128],
  });
  if (code === 0) rmSync(kept, { force: true });
  else renameSync(kept, join(repository.gitDir, 'index'));
}
