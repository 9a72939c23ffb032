import { nulTerminated, runGit } from '@holdfast/git';

import type { IndexChange } from './git-index.ts';
import type { Repository } from './git-repository.ts';

/** The paths of the repository, below the notebook, in which two commits differ, and what the later one has there. */
export async function changedEntries(repository: Repository, from: string, to: string): Promise<IndexChange[]> {
  const below = repository.prefix === '' ? [] : ['--', repository.prefix];
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', from, to, ...below];
  const { stdout } = await runGit(args, { folder: repository.root });
  const fields = stdout.toString('utf8').split('\0');
  const changes: IndexChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode = '', , oid = ''] = (fields[at] ?? '').split(' ');
    const path = fields[at + 1] ?? '';
    changes.push({ path, entry: /^0+$/.test(mode) ? undefined : { mode, oid } });
  }
  return changes;
}

/** Those of the paths that the rules of the user keep out of git. */
export async function ignoredPaths(repository: Repository, paths: readonly string[]): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const { stdout } = await runGit(['check-ignore', '-z', '--stdin'], {
    folder: repository.root,
    // A path that began with a colon would be taken for a pattern.
    input: paths.map((path) => `./${path}\0`).join(''),
    literalPaths: false,
    expected: [1],
  });
  return new Set(nulTerminated(stdout).map((path) => path.slice(2)));
}
