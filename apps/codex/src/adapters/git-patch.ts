import { once } from 'node:events';

import { gitFailed, gitText, keepStderr, startGit } from '@holdfast/git';

import { LOG_FORMAT } from '../model/git/log.ts';
import { DIFF } from './git-history.ts';
import { emptyTree } from './git-index.ts';
import type { Repository } from './git-repository.ts';

/** Author, time and message of a commit for `parseLog`, without its changes. */
export function readHeader({ root }: Repository, sha: string): Promise<string> {
  return gitText(['log', '--no-patch', '--max-count=1', `--format=${LOG_FORMAT}`, sha], { folder: root });
}

/** Paths below the notebook that differ between two commits, for `parseChanges`. */
export function readChanges(repository: Repository, from: string | undefined, to: string): Promise<string> {
  return gitText(['diff', '--name-status', '-z', ...between(repository, from, to)], { folder: repository.root });
}

export interface Patch {
  readonly text: string;
  /** True if the diff was longer and the rest was not read. */
  readonly isCut: boolean;
}

/** The diff between two commits, up to a number of bytes: a commit may have gigabytes. */
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
