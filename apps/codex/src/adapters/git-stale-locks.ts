import { existsSync, readdirSync, statSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';

import { MINUTE, SECOND, toTimestamp } from '@holdfast/base';

import type { Repository } from './git-repository.ts';
import { removeStaleLock } from './own-lock.ts';

/** git holds its locks for milliseconds, or seconds in a huge repository. */
const OLD_MS = MINUTE;
/** Tolerance: the clock may have been set since the boot. */
const BOOT_MARGIN_MS = MINUTE;

/**
 * Removes git locks older than the last boot, which no living process can own. Newer ones may belong to a slow or
 * stopped process and are only reported.
 */
export function removeLocksFromBeforeBoot(repository: Repository): void {
  const bootedAt = Date.now() - uptime() * SECOND;
  const isOlder = (path: string): boolean => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found !== undefined && found.mtimeMs < bootedAt - BOOT_MARGIN_MS;
  };
  for (const path of gitLocks(repository)) if (isOlder(path)) removeStaleLock(path, isOlder);
}

/** Explains a lock that has blocked commits for too long; undefined if there is none. */
export function describeOldLock(repository: Repository): string | undefined {
  for (const path of gitLocks(repository)) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined || Date.now() - found.mtimeMs < OLD_MS) continue;
    const since = toTimestamp(found.mtimeMs);
    return `git has been locked since ${since}. If no git command is running there, run: rm '${path.replaceAll("'", "'\\''")}'`;
  }
  return undefined;
}

function gitLocks({ gitDir, commonDir }: Repository): string[] {
  const single = [join(gitDir, 'index.lock'), join(gitDir, 'HEAD.lock'), join(commonDir, 'packed-refs.lock')];
  return [...single.filter((path) => existsSync(path)), ...locksBelow(join(commonDir, 'refs', 'heads'))];
}

function locksBelow(folder: string): string[] {
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return locksBelow(path);
    return entry.name.endsWith('.lock') ? [path] : [];
  });
}
