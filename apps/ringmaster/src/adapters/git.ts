import { KIBIBYTE } from '@holdfast/base';
import { gitFailed, runGit } from '@holdfast/git';

import { HELPER_VARIABLE } from './processes.ts';

export interface GitResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface GitOptions {
  readonly input?: string;
  /**
   * True if `folder` is the root of a worktree. If that worktree is broken, git must not fall back to a repository
   * above it.
   */
  readonly isRoot?: boolean;
  /** Index file that git uses instead of the worktree's. */
  readonly indexFile?: string;
  /** True if git may connect to a remote repository. */
  readonly allowsNetwork?: boolean;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs git until it ends, and accepts any exit code. */
export async function tryGit(folder: string, args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
  const base = gitOptions(folder);
  const env = { ...base.env, ...options.env };
  const { code, stdout, stderr } = await runGit(args, { ...base, ...options, env, expected: 'any' });
  return { code, stdout: stdout.toString('utf8'), stderr };
}

export async function git(folder: string, args: readonly string[], options?: GitOptions): Promise<string> {
  const { code, stdout, stderr } = await tryGit(folder, args, options);
  if (code !== 0) throw gitFailed(args, code, stderr);
  return stdout;
}

/**
 * Returns options that set an environment variable, so that a later supervisor can find the git process and wait for
 * it.
 */
export function gitOptions(folder: string): { readonly folder: string; readonly env: NodeJS.ProcessEnv } {
  return { folder, env: { [HELPER_VARIABLE]: process.env[HELPER_VARIABLE] } };
}

export interface DiffRequest {
  /** The repository, or the worktree of a running attempt. */
  readonly folder: string;
  readonly from: string;
  /** Default: the working tree, with uncommitted changes. */
  readonly to?: string | undefined;
}

interface ChangedFile {
  readonly path: string;
  /** Number of lines; null for binary and untracked files. */
  readonly added: number | null;
  readonly removed: number | null;
}

export interface Diff {
  readonly files: readonly ChangedFile[];
  readonly patch: string;
  /** Whether the patch was truncated. */
  readonly is_cut: boolean;
}

const PATCH_MAX = 512 * KIBIBYTE;
/**
 * Disables rename detection, because a rename gives one file two names. Ignores uncommitted changes in submodules,
 * because git would have to run in a submodule to find them.
 */
const plain = ['--no-color', '--no-renames', '--ignore-submodules=dirty'] as const;

export async function readDiff({ folder, from, to }: DiffRequest): Promise<Diff> {
  const range = to === undefined ? [from] : [from, to];
  const [numbers, patch, untracked] = await Promise.all([
    git(folder, ['diff', ...plain, '--numstat', '-z', ...range, '--']),
    git(folder, ['diff', ...plain, ...range, '--']),
    to === undefined ? git(folder, ['ls-files', '--others', '--exclude-standard', '-z']) : '',
  ]);
  const files = [
    ...entries(numbers).map(changedFile),
    ...entries(untracked).map((path) => ({ path, added: null, removed: null })),
  ];
  return { files, patch: patch.slice(0, PATCH_MAX), is_cut: patch.length > PATCH_MAX };
}

function entries(text: string): string[] {
  return text.split('\0').filter((entry) => entry !== '');
}

function changedFile(line: string): ChangedFile {
  const [added = '-', removed = '-', ...path] = line.split('\t');
  return { path: path.join('\t'), added: linesOf(added), removed: linesOf(removed) };
}

function linesOf(text: string): number | null {
  return text === '-' ? null : Number(text);
}
