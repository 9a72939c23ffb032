import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { syncFolder } from '@holdfast/base';

import type { Repository } from './git-repository.ts';

/**
 * git syncs files but not their folders: after a power cut, a pack or a branch could be missing although its content is
 * on disk.
 */
export async function syncPacks({ commonDir }: Repository): Promise<void> {
  await syncFolder(join(commonDir, 'objects', 'pack'));
}

/** Includes the parent folders, which the branch may have created. */
export async function syncBranch({ commonDir }: Repository, branch: string): Promise<void> {
  let folder = dirname(join(commonDir, ...branch.split('/')));
  for (; folder.startsWith(commonDir + sep); folder = dirname(folder)) {
    if (existsSync(folder)) await syncFolder(folder);
  }
}
