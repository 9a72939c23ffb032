import { once } from 'node:events';

import { gitFailed, gitText, keepStderr, runGit, startGit } from '@holdfast/git';

import { codexErrors } from '../model/errors.ts';
import { LOG_FORMAT } from '../model/git.ts';
import { emptyTree } from './git-index.ts';
import type { Repository } from './git-repository.ts';

export interface LogRange {
  readonly limit: number;
  /** Lists only ancestors of this commit. Without `before`, the list starts at HEAD. */
  readonly before?: string | undefined;
}

/** Returns `git log` output for `parseLog`: for the whole notebook, or for one file across its renames. */
export async function readLog(repository: Repository, range: LogRange, path?: string): Promise<string> {
  const { root, prefix } = repository;
  const start = range.before === undefined ? 'HEAD' : `${range.before}^@`;
  const what = path === undefined ? [prefix === '' ? '.' : prefix] : [prefix + path];
  const follow = path === undefined ? ['-M'] : ['--follow', '-M'];
  const args = ['log', '-z', '--name-status', `--format=${LOG_FORMAT}`, `--max-count=${range.limit}`, ...follow];
  const { code, stdout } = await runGit([...args, start, '--', ...what], { folder: root, expected: [128] });
  // git fails if there are no commits, or if `before` is the first commit. In both cases, the history is empty.
  return code === 0 ? stdout.toString('utf8') : '';
}

/** Resolves a commit id, the start of one, or HEAD with a number of steps back, such as `HEAD~2`. */
export async function resolveCommit(repository: Repository, name: string): Promise<string> {
  const { code, stdout } = /^([0-9a-f]{4,64}|HEAD(~\d{1,6})?)$/i.test(name)
    ? await runGit(['rev-parse', '--verify', '-q', '--end-of-options', `${name}^{commit}`], {
        folder: repository.root,
        expected: [1, 128],
      })
    : { code: 1, stdout: Buffer.alloc(0) };
  if (code !== 0) {
    throw codexErrors.FILE_NOT_FOUND(`The history has no commit ${JSON.stringify(name)}`, {
      hint: 'List the commits of the notebook; HEAD~2 is two commits before the last.',
    });
  }
  return stdout.toString('latin1').trim();
}

interface VersionName {
  readonly commit: string;
  readonly path: string;
}

const DIFF = ['diff', '--no-color', '--no-ext-diff', '--no-textconv', '--src-prefix=a/', '--dst-prefix=b/', '-M'];

/** Returns the diff of a file between two commits. If `from` is undefined, compares with an empty file. */
export function readDiff(repository: Repository, from: VersionName | undefined, to: VersionName): Promise<string> {
  const { root, prefix } = repository;
  const commits = [from?.commit ?? emptyTree(repository), to.commit];
  const paths = new Set([prefix + to.path, prefix + (from ?? to).path]);
  return gitText([...DIFF, ...commits, '--', ...paths], { folder: root });
}

/** Returns the diff of two versions of one file. git compares only their content and does not look for renames. */
export function readContentDiff({ root, prefix }: Repository, from: VersionName, to: VersionName): Promise<string> {
  const contents = [from, to].map(({ commit, path }) => `${commit}:${prefix}${path}`);
  return gitText([...DIFF, '--end-of-options', ...contents], { folder: root });
}

export async function isAncestor({ root }: Repository, earlier: string, later: string): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', earlier, later];
  const { code } = await runGit(args, { folder: root, expected: [1] });
  return code === 0;
}

/** Returns author, time and message of a commit for `parseLog`, without its changes. */
export function readHeader({ root }: Repository, sha: string): Promise<string> {
  return gitText(['log', '--no-patch', '--max-count=1', `--format=${LOG_FORMAT}`, sha], { folder: root });
}

/** Returns the paths below the notebook that differ between two commits, for `parseChanges`. */
export function readChanges(repository: Repository, from: string | undefined, to: string): Promise<string> {
  return gitText(['diff', '--name-status', '-z', ...between(repository, from, to)], { folder: repository.root });
}

interface Patch {
  readonly text: string;
  /** True if the diff is longer than the limit; the rest was not read. */
  readonly isCut: boolean;
}

/** Reads at most `bytesMax` bytes of the diff between two commits, because a diff may be gigabytes long. */
export async function readPatch(
  repository: Repository,
  from: string | undefined,
  to: string,
  bytesMax: number,
): Promise<Patch> {
  const args = [...DIFF, ...between(repository, from, to)];
  const child = startGit(args, { folder: repository.root });
  child.stdin?.end();
  const stderr = keepStderr(child);
  const closed = once(child, 'close');
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of child.stdout ?? []) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length > bytesMax) break;
  }
  const isCut = length > bytesMax;
  if (isCut) child.kill('SIGKILL');
  const [code] = (await closed) as [number | null];
  if (code !== 0 && !isCut) throw gitFailed(args, code, stderr());
  return { text: Buffer.concat(chunks).subarray(0, bytesMax).toString('utf8'), isCut };
}

function between(repository: Repository, from: string | undefined, to: string): readonly string[] {
  const { prefix } = repository;
  return ['-M', from ?? emptyTree(repository), to, '--', prefix === '' ? '.' : prefix];
}
