import { gitText, runGit } from '@holdfast/git';

import { LOG_FORMAT } from '../model/git/log.ts';
import { codexErrors } from '../model/errors.ts';
import { emptyTree } from './git-index.ts';
import type { Repository } from './git-repository.ts';

export interface LogRange {
  readonly limit: number;
  /** Starts with the parents of this commit, or with HEAD. */
  readonly before?: string | undefined;
}

/** Output of `git log` for `parseLog`: for the notebook, or for one file through its renames. */
export async function readLog(repository: Repository, range: LogRange, path?: string): Promise<string> {
  const { root, prefix } = repository;
  const start = range.before === undefined ? 'HEAD' : `${range.before}^@`;
  const what = path === undefined ? [prefix === '' ? '.' : prefix] : [prefix + path];
  const follow = path === undefined ? ['-M'] : ['--follow', '-M'];
  const args = ['log', '-z', '--name-status', `--format=${LOG_FORMAT}`, `--max-count=${range.limit}`, ...follow];
  const { code, stdout } = await runGit([...args, start, '--', ...what], { folder: root, expected: [128] });
  // No commits, or a start before the first one: the history is empty.
  return code === 0 ? stdout.toString('utf8') : '';
}

/** Resolves an id or its prefix, or HEAD with a number of steps back. */
export async function resolveCommit(repository: Repository, name: string): Promise<string> {
  const { code, stdout } = /^([0-9a-f]{4,64}|HEAD(~\d{1,6})?)$/i.test(name)
    ? await runGit(['rev-parse', '--verify', '-q', '--end-of-options', `${name}^{commit}`], {
        folder: repository.root,
        expected: [1, 128],
      })
    : { code: 1, stdout: Buffer.alloc(0) };
  if (code !== 0) {
    throw codexErrors.FILE_NOT_FOUND(`The history has no commit ${JSON.stringify(name)}`, {
      hint: 'The history of the notebook lists its commits; HEAD~2 is the last but two.',
    });
  }
  return stdout.toString('latin1').trim();
}

export interface VersionName {
  readonly commit: string;
  readonly path: string;
}

export const DIFF = [
  'diff',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '-M',
];

/** Diff of a file between two commits; undefined `from` stands for an empty file. */
export function readDiff(repository: Repository, from: VersionName | undefined, to: VersionName): Promise<string> {
  const { root, prefix } = repository;
  const commits = [from?.commit ?? emptyTree(repository), to.commit];
  const paths = new Set([prefix + to.path, prefix + (from ?? to).path]);
  return gitText([...DIFF, ...commits, '--', ...paths], { folder: root });
}

/** Diff between two blobs, whatever else the commits changed. */
export function readContentDiff({ root, prefix }: Repository, from: VersionName, to: VersionName): Promise<string> {
  const contents = [from, to].map(({ commit, path }) => `${commit}:${prefix}${path}`);
  return gitText([...DIFF, '--end-of-options', ...contents], { folder: root });
}

export async function isAncestor({ root }: Repository, earlier: string, later: string): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', earlier, later];
  const { code } = await runGit(args, { folder: root, expected: [1] });
  return code === 0;
}
