import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';

import { gitErrors, gitFailed, nulTerminated, runGit } from '@holdfast/git';

import type { IndexChange } from './git-index.ts';
import type { Repository } from './git-repository.ts';

/** Paths of the repository, below the notebook, that differ between two commits, with the entry of the later one. */
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

export interface KeptOut {
  /** Matched by ignore rules. */
  readonly ignored: ReadonlySet<string>;
  /** Inside another repository, such as a submodule. */
  readonly nested: ReadonlySet<string>;
}

export async function keptOutPaths(repository: Repository, paths: readonly string[]): Promise<KeptOut> {
  let nested = pathsBelow(paths, (folder) => existsSync(join(repository.root, folder, '.git')));
  const asked = (): string[] => paths.filter((path) => !nested.has(path));
  let ignored = await ignoredPaths(repository, asked());
  if (ignored === undefined) {
    // The index has a submodule whose folder is missing or empty.
    const submodules = await submodulePaths(repository);
    nested = new Set([...nested, ...pathsBelow(paths, (folder) => submodules.has(folder))]);
    ignored = await ignoredPaths(repository, asked());
  }
  if (ignored === undefined)
    throw gitErrors.GIT_FAILED('git check-ignore finds a submodule that the index does not have');
  return { ignored, nested };
}

/** Returns undefined if a path is in a submodule: git then reports nothing about the others. */
async function ignoredPaths(repository: Repository, paths: readonly string[]): Promise<Set<string> | undefined> {
  if (paths.length === 0) return new Set();
  const args = ['check-ignore', '-z', '--stdin'];
  const { code, stdout, stderr } = await runGit(args, {
    folder: repository.root,
    // git takes a path that starts with a colon for a pattern.
    input: paths.map((path) => `./${path}\0`).join(''),
    literalPaths: false,
    expected: [1, 128],
  });
  if (code === 128 && / is in submodule /.test(stderr)) return undefined;
  if (code === 128) throw gitFailed(args, code, stderr);
  return new Set(nulTerminated(stdout).map((path) => path.slice(2)));
}

async function submodulePaths({ root }: Repository): Promise<ReadonlySet<string>> {
  const { stdout } = await runGit(['ls-files', '--stage', '-z'], { folder: root });
  return new Set(
    nulTerminated(stdout).flatMap((line) => (line.startsWith('160000 ') ? line.split('\t').slice(1) : [])),
  );
}

function pathsBelow(paths: readonly string[], isMeant: (folder: string) => boolean): Set<string> {
  const known = new Map<string, boolean>();
  const isBelow = (path: string): boolean => {
    const folder = posix.dirname(path);
    if (folder === '.') return false;
    const found = known.get(folder) ?? (isMeant(folder) || isBelow(folder));
    known.set(folder, found);
    return found;
  };
  return new Set(paths.filter(isBelow));
}
