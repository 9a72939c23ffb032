import { gitFailed, runGit } from '@holdfast/git';

import type { Repository } from './git-repository.ts';

export interface BranchMove {
  readonly branch: string;
  readonly from: string | undefined;
  readonly to: string;
  /** A temporary reference of ours to delete. */
  readonly drop: string;
  readonly reason: string;
}

/** `raced`: the branch moved, or another process is moving it now. Nothing was changed. */
export type BranchMoved = 'moved' | 'raced';

/** Moves a branch if it is still at the expected commit. */
export async function moveBranch(repository: Repository, move: BranchMove): Promise<BranchMoved> {
  const none = '0'.repeat(repository.oidBytes * 2);
  const input = `start\nupdate ${move.branch} ${move.to} ${move.from ?? none}\ndelete ${move.drop}\ncommit\n`;
  const args = ['update-ref', '-m', move.reason, '--stdin'];
  const { code, stderr } = await runGit(args, { folder: repository.root, input, expected: [128] });
  if (code === 0) return 'moved';
  if (/cannot lock ref|Unable to create|reference already exists/i.test(stderr)) return 'raced';
  throw gitFailed(args, code, stderr);
}
