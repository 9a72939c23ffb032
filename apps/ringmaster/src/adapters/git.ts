import { gitFailed, runGit } from '@holdfast/git';

import { HELPER_VARIABLE } from './processes.ts';

export interface GitResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface GitOptions {
  readonly input?: string;
  /** The folder is a worktree itself: should that be broken, the repository around it must not be taken instead. */
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

/** A supervisor waits for what an earlier one has started, which it finds by this variable. */
export function gitOptions(folder: string): { readonly folder: string; readonly env: NodeJS.ProcessEnv } {
  return { folder, env: { [HELPER_VARIABLE]: process.env[HELPER_VARIABLE] } };
}
