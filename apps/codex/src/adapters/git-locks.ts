import * as fs from 'node:fs';
import { uptime } from 'node:os';
import { dirname, join } from 'node:path';

import { delay, identityOf, isAlive, MINUTE, type ProcessIdentity, SECOND, toTimestamp } from '@holdfast/base';
import { runGit } from '@holdfast/git';

import { codexErrors } from '../model/errors.ts';
import { KEPT } from './git-index.ts';
import type { Repository } from './git-repository.ts';

/** codex's lock files start with this text; git's lock files do not. */
const MARK = 'held by holdfast codex ';
/**
 * A codex lock that names no process is damaged, for example after a power failure. It is removed once it is older than
 * this.
 */
const FRESH_MS = 2 * SECOND;

let made = 0;

/**
 * Creates a lock file that names this process; returns false if one exists. Syncs the content before the lock gets its
 * name, so that the lock names its owner even after a power failure.
 */
function createOwnLock(path: string): boolean {
  if (fs.existsSync(path)) return false;
  made += 1;
  const fresh = `${path}.${process.pid}.${made}`;
  try {
    const file = fs.openSync(fresh, 'w');
    fs.writeSync(file, MARK + JSON.stringify(identityOf(process.pid)));
    syncAndClose(file);
    fs.linkSync(fresh, path);
    syncAndClose(fs.openSync(dirname(path), 'r'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    fs.rmSync(fresh, { force: true });
  }
}

function syncAndClose(file: number): void {
  try {
    fs.fsyncSync(file);
  } finally {
    fs.closeSync(file);
  }
}

/** Returns whether the lock was left by a codex process that has ended. */
function isAbandoned(path: string): boolean {
  const owner = ownerOf(path);
  return owner !== undefined && !isAlive(owner);
}

/**
 * Only for locks that git never creates. Also returns true if the lock is damaged: it names no process and is not
 * fresh.
 */
function isAbandonedOrTorn(path: string): boolean {
  const found = fs.statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  const isTorn = ownerOf(path) === undefined && Math.abs(Date.now() - found.mtimeMs) > FRESH_MS;
  return isTorn || isAbandoned(path);
}

/**
 * Renames a lock, then checks whether it is stale. If it is not stale, another process has just taken the lock, so this
 * function restores the name of the lock.
 */
function removeStaleLock(path: string, isStale: (path: string) => boolean): void {
  const aside = `${path}.${process.pid}.left`;
  try {
    fs.renameSync(path, aside);
  } catch {
    return;
  }
  if (!isStale(aside)) {
    try {
      fs.linkSync(aside, path);
    } catch {
      // Another process has taken the lock.
    }
  }
  fs.rmSync(aside, { force: true });
}

/** Returns the codex process that made the lock; undefined if git made it or it is incomplete. */
function ownerOf(path: string): ProcessIdentity | undefined {
  try {
    const text = fs.readFileSync(path, 'utf8');
    return text.startsWith(MARK) ? (JSON.parse(text.slice(MARK.length)) as ProcessIdentity) : undefined;
  } catch {
    return undefined;
  }
}

const LANE_PAUSE_MS = 20;

/**
 * Ensures that only one codex process at a time, for example a server or a command, commits in a repository or syncs
 * it.
 */
export async function withRepositoryLock<T>(
  { commonDir }: Repository,
  kind: 'lane' | 'sync',
  work: () => Promise<T>,
): Promise<T> {
  const path = join(commonDir, `codex-${kind}.lock`);
  const deadline = performance.now() + MINUTE;
  while (!createOwnLock(path)) {
    if (isAbandonedOrTorn(path)) removeStaleLock(path, isAbandonedOrTorn);
    else if (performance.now() > deadline) {
      throw codexErrors.GIT_UNAVAILABLE(`Another process has been working in ${commonDir} for a minute`);
    } else await delay(LANE_PAUSE_MS * (0.5 + Math.random()));
  }
  try {
    if (kind === 'lane') removeOwnReferenceLocks(commonDir);
    return await work();
  } finally {
    fs.rmSync(path, { force: true });
  }
}

/**
 * Removes locks on our own references. Only the holder of the lane lock, now this process, uses these references, so
 * any lock on them was left by a process that died.
 */
function removeOwnReferenceLocks(commonDir: string): void {
  for (const left of locksBelow(join(commonDir, 'refs', 'codex'))) fs.rmSync(left, { force: true });
}

/** Age at which a git lock is reported. git holds a lock for milliseconds, or seconds in a huge repository. */
const OLD_MS = MINUTE;
/** Tolerance for the computed boot time, which is wrong if somebody has set the clock since the boot. */
const BOOT_MARGIN_MS = MINUTE;

/**
 * Removes git locks that are older than the last boot, because no living process can own them. Newer locks may belong
 * to a slow or stopped process and are only reported.
 */
function removeLocksFromBeforeBoot(repository: Repository): void {
  const bootedAt = Date.now() - uptime() * SECOND;
  const isOlder = (path: string): boolean => {
    const found = fs.statSync(path, { throwIfNoEntry: false });
    return found !== undefined && found.mtimeMs < bootedAt - BOOT_MARGIN_MS;
  };
  for (const path of gitLocks(repository)) if (isOlder(path)) removeStaleLock(path, isOlder);
}

/** Explains a lock that has blocked commits for too long; undefined if there is none. */
export function describeOldLock(repository: Repository): string | undefined {
  for (const path of gitLocks(repository)) {
    const found = fs.statSync(path, { throwIfNoEntry: false });
    if (found === undefined || Date.now() - found.mtimeMs < OLD_MS) continue;
    const since = toTimestamp(found.mtimeMs);
    return `git has been locked since ${since}. If no git command is running in this repository, run: rm '${path.replaceAll("'", "'\\''")}'`;
  }
  return undefined;
}

function gitLocks({ gitDir, commonDir }: Repository): string[] {
  const single = [join(gitDir, 'index.lock'), join(gitDir, 'HEAD.lock'), join(commonDir, 'packed-refs.lock')];
  return [...single.filter((path) => fs.existsSync(path)), ...locksBelow(join(commonDir, 'refs', 'heads'))];
}

function locksBelow(folder: string): string[] {
  const entries = fs.existsSync(folder) ? fs.readdirSync(folder, { withFileTypes: true }) : [];
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return locksBelow(path);
    return entry.name.endsWith('.lock') ? [path] : [];
  });
}

/** How long to wait for the index lock before continuing without it. git holds it for milliseconds. */
const TRY_MS = 2_000;
const PAUSE_MS = 15;

/**
 * Takes the index lock as git does, by creating the file. Returns undefined if another process holds it. Removes only a
 * lock that a codex process left when it ended.
 */
export async function takeIndexLock(repository: Repository, patienceMs = TRY_MS): Promise<(() => void) | undefined> {
  const path = join(repository.gitDir, 'index.lock');
  const deadline = performance.now() + patienceMs;
  for (;;) {
    if (createOwnLock(path)) return () => fs.rmSync(path, { force: true });
    await removeOwnLeftLock(repository);
    if (performance.now() >= deadline) return undefined;
    await delay(PAUSE_MS * (0.5 + Math.random()));
  }
}

/** Removes locks that no living process can own, and files that dead codex processes left in the git folder. */
export async function removeLeftovers(repository: Repository): Promise<void> {
  await removeOwnLeftLock(repository);
  removeLocksFromBeforeBoot(repository);
  for (const name of fs.readdirSync(repository.gitDir)) {
    const [, pid] = /^(?:codex-index|index\.lock|codex-(?:lane|sync)\.lock)\.(\d+)\.\w+(?:\.lock)?$/.exec(name) ?? [];
    if (pid === undefined || Number(pid) === process.pid || isAlive(identityOf(Number(pid)))) continue;
    fs.rmSync(join(repository.gitDir, name), { force: true });
  }
}

async function removeOwnLeftLock(repository: Repository): Promise<void> {
  const path = join(repository.gitDir, 'index.lock');
  if (!isAbandoned(path)) return;
  for (const name of fs.readdirSync(repository.gitDir).filter((one) => one.startsWith(KEPT))) {
    await decideIndex(repository, name);
  }
  removeStaleLock(path, isAbandoned);
}

/**
 * Keeps the new index if the branch contains the commit for which the index was written; if not, restores the old
 * index.
 */
async function decideIndex(repository: Repository, name: string): Promise<void> {
  const commit = name.slice(KEPT.length);
  const kept = join(repository.gitDir, name);
  const { code } = await runGit(['merge-base', '--is-ancestor', commit, 'HEAD'], {
    folder: repository.root,
    expected: [1, 128],
  });
  if (code === 0) fs.rmSync(kept, { force: true });
  else fs.renameSync(kept, join(repository.gitDir, 'index'));
}
