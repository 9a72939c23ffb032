import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { runGit } from '@holdfast/git';

import type { Repository } from './git-repository.ts';

/** git itself begins to tidy up at fifty. */
const PACKS_MAX = 20;

export function needsRepack({ commonDir }: Repository): boolean {
  const names = readdirSync(join(commonDir, 'objects', 'pack'));
  // Packs of a partial clone must stay what they are: git tells by them which objects may be missing.
  const isPartial = names.some((name) => name.endsWith('.promisor'));
  return !isPartial && names.filter((name) => name.endsWith('.pack')).length > PACKS_MAX;
}

/** Joins the small packs into larger ones. Nothing is thrown away: what no branch reaches may be the user's to rescue. */
export async function repack({ root }: Repository): Promise<void> {
  await runGit(['repack', '-d', '-q', '--geometric=2'], { folder: root });
}
