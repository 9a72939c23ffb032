import { gitFailed, runGit } from '@holdfast/git';

import type { Repository } from './git-repository.ts';

export interface BranchMove {
  readonly branch: string;
  readonly from: string | undefined;
  readonly to: string;
  /** A reference of ours that has done its duty. */
  readonly drop: string;
  readonly reason: string;
}

/** `raced`: the branch is not where it was, or somebody else is moving it at this moment. Nothing has happened. */
export type BranchMoved = 'moved' | 'raced';

/** Moves a branch, only if it is where we think it is. */
export async function moveBranch(repository: Repository, move: BranchMove): Promise<BranchMoved> {
  const none = '0'.repeat(repository.oidBytes * 2);
  const input = `start\nupdate ${move.branch} ${move.to} ${move.from ?? none}\ndelete ${move.drop}\ncommit\n`;
  const args = ['update-ref', '-m', move.reason, '--stdin'];
  const { code, stderr } = await runGit(args, { folder: repository.root, input, expected: [128] });
  if (code === 0) return 'moved';
  if (/cannot lock ref|Unable to create|reference already exists/i.test(stderr)) return 'raced';
  throw gitFailed(args, code, stderr);
}
