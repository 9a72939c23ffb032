import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { writeSync } from 'node:fs';
import { dirname } from 'node:path';

import { identityOf, isAlive, type ProcessIdentity, SECOND } from '@holdfast/base';

/** Prefix of our lock files. git writes other content into its own. */
const MARK = 'held by holdfast codex ';
/** How long a torn lock is left alone. Only a power failure can tear one of ours. */
const FRESH_MS = 2 * SECOND;

let made = 0;

/**
 * Creates a lock file that names this process; returns false if one exists. The content is synced before the name, so
 * that the lock names its owner after a power cut.
 */
export function createOwnLock(path: string): boolean {
  if (existsSync(path)) return false;
  made += 1;
  const fresh = `${path}.${process.pid}.${made}`;
  try {
    const file = openSync(fresh, 'w');
    writeSync(file, MARK + JSON.stringify(identityOf(process.pid)));
    syncAndClose(file);
    linkSync(fresh, path);
    syncAndClose(openSync(dirname(path), 'r'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
}

function syncAndClose(file: number): void {
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Returns whether the lock belongs to a dead process of ours. */
export function isAbandoned(path: string): boolean {
  const owner = ownerOf(path);
  return owner !== undefined && !isAlive(owner);
}

/** For locks that only we create: one that names no process was torn by a power cut. */
export function isAbandonedOrTorn(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  const isTorn = ownerOf(path) === undefined && Math.abs(Date.now() - found.mtimeMs) > FRESH_MS;
  return isTorn || isAbandoned(path);
}

/** Removes a lock only if it is stale; puts back one that was taken meanwhile. */
export function removeStaleLock(path: string, isStale: (path: string) => boolean): void {
  const aside = `${path}.${process.pid}.left`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (!isStale(aside)) {
    try {
      linkSync(aside, path);
    } catch {
      // Another process has taken the lock.
    }
  }
  rmSync(aside, { force: true });
}

/** The process that made the lock; undefined if the lock is not ours or is torn. */
function ownerOf(path: string): ProcessIdentity | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    return text.startsWith(MARK) ? (JSON.parse(text.slice(MARK.length)) as ProcessIdentity) : undefined;
  } catch {
    return undefined;
  }
}
