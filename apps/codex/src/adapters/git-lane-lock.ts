import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { delay, MINUTE } from '@holdfast/base';

import { codexErrors } from '../model/errors.ts';
import type { Repository } from './git-repository.ts';
import { createOwnLock, isAbandonedOrTorn, removeStaleLock } from './own-lock.ts';

const PAUSE_MS = 20;

/** Lets only one of our processes work in a repository: a server and a command may commit at the same time. */
export async function withLaneLock<T>({ commonDir }: Repository, work: () => Promise<T>): Promise<T> {
  const path = join(commonDir, 'codex-lane.lock');
  const deadline = performance.now() + MINUTE;
  while (!createOwnLock(path)) {
    if (isAbandonedOrTorn(path)) removeStaleLock(path, isAbandonedOrTorn);
    else if (performance.now() > deadline) {
      throw codexErrors.GIT_UNAVAILABLE(`Another process has been committing in ${commonDir} for a minute`);
    } else await delay(PAUSE_MS * (0.5 + Math.random()));
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}
