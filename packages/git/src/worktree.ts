import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { gitErrors } from './errors.ts';
import { type GitLocation, locateGit } from './locate.ts';
import { gitText, type RunOptions, runGit, type RunResult } from './run.ts';

/** Runs `git worktree add`; one of the arguments is the path. */
export async function addWorktree(path: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  mkdirSync(join(located(options.folder).commonDir, 'worktrees'), { recursive: true });
  const result = await runGit(['worktree', 'add', '--quiet', ...args], options);
  if (result.code === 0) nameRealFolder(path);
  return result;
}

/**
 * git wrote the path of the shadow folder into the worktree's `.git` file, but that folder is deleted when this process
 * exits. This function replaces the path with that of the real folder.
 */
function nameRealFolder(path: string): void {
  const link = join(path, '.git');
  const noted = readFileSync(link, 'utf8').trim().slice('gitdir: '.length);
  writeFileSync(link, `gitdir: ${realpathSync(noted)}\n`);
}

/** Returns the worktree in which a branch is checked out; undefined if there is none. */
export async function worktreeOf(branch: string, options: RunOptions): Promise<string | undefined> {
  const list = await gitText(['worktree', 'list', '--porcelain', '-z'], options);
  const worktrees = list.split('\0\0').map((entry) => entry.split('\0'));
  const at = worktrees.findIndex((lines) => lines.includes(`branch refs/heads/${branch}`));
  // git lists the main worktree first, but derives its path from the shadow folder. So the path is computed here.
  const folder = at === 0 ? mainWorktree(located(options.folder)) : worktrees[at]?.[0]?.slice('worktree '.length);
  return folder !== undefined && existsSync(folder) ? folder : undefined;
}

/** Returns undefined for a bare repository. */
function mainWorktree({ root, gitDir, commonDir }: GitLocation): string | undefined {
  if (gitDir === commonDir) return root;
  return basename(commonDir) === '.git' ? dirname(commonDir) : undefined;
}

function located(folder: string): GitLocation {
  const location = locateGit(folder);
  if (location === undefined) throw gitErrors.GIT_FAILED(`not a git repository: ${folder}`);
  return location;
}
