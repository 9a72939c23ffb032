/** Decides whether `npm ci` is needed. `npm ci` starts by deleting node_modules, so it must run only if necessary. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const lockFile = (folder) => join(folder, 'package-lock.json');
/** npm writes this file last: without it the installation is incomplete. */
const finishedFile = (folder) => join(folder, 'node_modules', '.package-lock.json');
const stampFile = (folder) => join(folder, 'node_modules', '.holdfast-lock');

function lockHash(folder) {
  return createHash('sha256')
    .update(readFileSync(lockFile(folder)))
    .digest('hex');
}

export function installReason(folder) {
  if (!existsSync(finishedFile(folder))) return 'node_modules is missing or incomplete';
  const stamp = existsSync(stampFile(folder)) ? readFileSync(stampFile(folder), 'utf8') : '';
  // Compares content, not times: switching to another branch and back makes the lock file newer but does not change it.
  if (stamp === lockHash(folder)) return undefined;
  // A user ran `npm install` after the last change to the lock file.
  if (statSync(finishedFile(folder)).mtimeMs >= statSync(lockFile(folder)).mtimeMs) return undefined;
  return 'package-lock.json changed';
}

export function stampInstall(folder) {
  writeFileSync(stampFile(folder), lockHash(folder));
}
