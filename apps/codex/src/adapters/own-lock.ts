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

/** Starts a lock file of ours. git writes other things into its own, so that theirs cannot be taken for ours. */
const MARK = 'held by holdfast codex ';
/** A torn lock is left alone for this long. Ours never is one, unless the power failed. */
const FRESH_MS = 2 * SECOND;

let made = 0;

/**
 * Creates a lock file that names this process; false if there is one. Its content is on disk before its name is: after a
 * power cut it must still tell whose it was.
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

/** Whether the lock belongs to a process of ours that does not exist any more. */
export function isAbandoned(path: string): boolean {
  const owner = ownerOf(path);
  return owner !== undefined && !isAlive(owner);
}

/** The same for a lock that only we make: one that names nobody was torn by a power cut. */
export function isAbandonedOrTorn(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  const isTorn = ownerOf(path) === undefined && Math.abs(Date.now() - found.mtimeMs) > FRESH_MS;
  return isTorn || isAbandoned(path);
}

/** Removes a stale lock, and no other: one that was taken at this moment is put back. */
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
      // Another process has it already.
    }
  }
  rmSync(aside, { force: true });
}

/** The process of ours that made the lock; undefined if it is not ours or torn. */
function ownerOf(path: string): ProcessIdentity | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    return text.startsWith(MARK) ? (JSON.parse(text.slice(MARK.length)) as ProcessIdentity) : undefined;
  } catch {
    return undefined;
  }
}
