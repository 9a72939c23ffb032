import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { runGit } from '@holdfast/git';

import type { Repository } from './git-repository.ts';

/** git's own limit is fifty. */
const PACKS_MAX = 20;

export function needsRepack({ commonDir }: Repository): boolean {
  const names = readdirSync(join(commonDir, 'objects', 'pack'));
  // Packs of a partial clone must stay separate: git uses them to tell which objects may be missing.
  const isPartial = names.some((name) => name.endsWith('.promisor'));
  return !isPartial && names.filter((name) => name.endsWith('.pack')).length > PACKS_MAX;
}

/** Joins small packs. Deletes no object: the user may want to rescue unreachable ones. */
export async function repack({ root }: Repository): Promise<void> {
  await runGit(['repack', '-d', '-q', '--geometric=2'], { folder: root });
}
