import { gitFailed, runGit } from '@holdfast/git';

import { HELPER_VARIABLE } from './processes.ts';

export interface GitResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface GitOptions {
  readonly input?: string;
  /** The folder is a worktree root: if it is broken, git must not use a repository above it instead. */
  readonly isRoot?: boolean;
}

/** Runs git to its end, whatever its exit code. */
export async function tryGit(folder: string, args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
  const { code, stdout, stderr } = await runGit(args, { ...gitOptions(folder), ...options, expected: 'any' });
  return { code, stdout: stdout.toString('utf8'), stderr };
}

export async function git(folder: string, args: readonly string[], options?: GitOptions): Promise<string> {
  const { code, stdout, stderr } = await tryGit(folder, args, options);
  if (code !== 0) throw gitFailed(args, code, stderr);
  return stdout;
}

/** A supervisor finds helpers of an earlier one by this variable and waits for them. */
export function gitOptions(folder: string): { readonly folder: string; readonly env: NodeJS.ProcessEnv } {
  return { folder, env: { [HELPER_VARIABLE]: process.env[HELPER_VARIABLE] } };
}
