import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { syncFolder } from '@holdfast/base';

import type { Repository } from './git-repository.ts';

/**
 * git syncs what it writes, but not the folders it puts it into: after a power cut a pack or a branch could be missing
 * from its folder although its content is on disk.
 */
export async function syncPacks({ commonDir }: Repository): Promise<void> {
  await syncFolder(join(commonDir, 'objects', 'pack'));
}

/** The folder of a branch, and those above it, which the branch may have been the first to need. */
export async function syncBranch({ commonDir }: Repository, branch: string): Promise<void> {
  let folder = dirname(join(commonDir, ...branch.split('/')));
  for (; folder.startsWith(commonDir + sep); folder = dirname(folder)) {
    if (existsSync(folder)) await syncFolder(folder);
  }
}
