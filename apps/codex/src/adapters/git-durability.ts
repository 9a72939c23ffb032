import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

import type { Repository } from './git-repository.ts';

/**
 * git syncs what it writes, but not the folders it puts it into: after a power cut a pack or a branch could be missing
 * from its folder although its content is on disk.
 */
export function syncPacks({ commonDir }: Repository): void {
  syncFolder(join(commonDir, 'objects', 'pack'));
}

/** The folder of a branch, and those above it, which the branch may have been the first to need. */
export function syncBranch({ commonDir }: Repository, branch: string): void {
  let folder = dirname(join(commonDir, ...branch.split('/')));
  for (; folder.startsWith(commonDir + sep); folder = dirname(folder)) if (existsSync(folder)) syncFolder(folder);
}

export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
