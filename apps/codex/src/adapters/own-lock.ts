import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

import { identityOf, isAlive, type ProcessIdentity } from '@holdfast/base';

/** What a lock of ours says. git writes other things into its own, so that theirs cannot be taken for ours. */
const MARK = 'held by holdfast codex ';

let made = 0;

/** Creates a lock file that says who we are, whole or not at all; false when there is one. */
export function createOwnLock(path: string): boolean {
  if (existsSync(path)) return false;
  made += 1;
  const fresh = `${path}.${process.pid}.${made}`;
  try {
    writeFileSync(fresh, MARK + JSON.stringify(identityOf(process.pid)));
    linkSync(fresh, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
}

/** Whether the lock is of a process of ours that is gone. */
export function isLeftBehind(path: string): boolean {
  const owner = ownerOf(path);
  return owner !== undefined && !isAlive(owner);
}

/** Removes a lock that was left behind, and no other: one that was taken in this moment is put back. */
export function removeLeftLock(path: string): void {
  const aside = `${path}.${process.pid}.left`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (!isLeftBehind(aside)) {
    try {
      linkSync(aside, path);
    } catch {
      // Somebody has it already.
    }
  }
  rmSync(aside, { force: true });
}

/** The process of ours that made the lock; undefined when it is not ours, or not finished. */
function ownerOf(path: string): ProcessIdentity | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    return text.startsWith(MARK) ? (JSON.parse(text.slice(MARK.length)) as ProcessIdentity) : undefined;
  } catch {
    return undefined;
  }
}
