import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Repository } from './git-repository.ts';
import { runGit } from './git-run.ts';

/** git itself begins to tidy up at fifty. */
const PACKS_MAX = 20;

export function needsRepack({ commonDir }: Repository): boolean {
  return readdirSync(join(commonDir, 'objects', 'pack')).filter((name) => name.endsWith('.pack')).length > PACKS_MAX;
}

/** Joins the small packs into larger ones. Nothing is thrown away: what no branch reaches may be the user's to rescue. */
export async function repack({ root }: Repository): Promise<void> {
  await runGit(['repack', '-d', '-q', '--geometric=2'], { folder: root });
}
