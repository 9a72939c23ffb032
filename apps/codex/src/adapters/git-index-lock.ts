import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { delay, identityOf, isAlive } from '@holdfast/base';
import { runGit } from '@holdfast/git';

import { KEPT } from './git-index.ts';
import type { Repository } from './git-repository.ts';
import { removeLocksFromBeforeBoot } from './git-stale-locks.ts';
import { createOwnLock, isAbandoned, removeStaleLock } from './own-lock.ts';

/** How long we try to get the lock of the index before we do without it. git itself holds it for milliseconds. */
const TRY_MS = 2_000;
const PAUSE_MS = 15;

/**
 * Takes git's lock of the index, as git itself does: whoever creates the file has it. Undefined when somebody else keeps
 * it. Theirs is never removed; only one that a dead process of ours has left behind.
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

/** After a crash or a power cut: locks that nobody can own, and what dead processes of ours left beside the index. */
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

/** The branch may have got the commit that the new index belongs to, or not: the index that fits it stays. */
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
