import { execFile } from 'node:child_process';
import { dirname } from 'node:path';

import { MEBIBYTE, MINUTE } from '@holdfast/base';

import { ringmasterErrors } from '../model/errors.ts';

export interface GitResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const TIME_MAX = 10 * MINUTE;

export interface GitOptions {
  readonly input?: string;
  /** The folder is a worktree itself: should that be broken, the repository around it must not be taken instead. */
  readonly isRoot?: boolean;
}

/** git with an array of arguments, in words that do not depend on the language of the machine. */
export function tryGit(
  folder: string,
  args: readonly string[],
  { input, isRoot = false }: GitOptions = {},
): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const options = {
      cwd: folder,
      env: environment(isRoot ? folder : undefined),
      maxBuffer: 64 * MEBIBYTE,
      timeout: TIME_MAX,
    };
    const child = execFile('git', args, options, (error, stdout, stderr) => {
      if (error !== null && typeof error.code !== 'number') reject(failure(args, error.message, error));
      else resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

export async function git(folder: string, args: readonly string[], options?: GitOptions): Promise<string> {
  const { code, stdout, stderr } = await tryGit(folder, args, options);
  if (code !== 0) throw failure(args, stderr.trim() === '' ? `exit code ${code}` : stderr.trim());
  return stdout;
}

function failure(args: readonly string[], message: string, cause?: unknown): Error {
  const verb = args.find((word, index) => !word.startsWith('-') && args[index - 1] !== '-c');
  return ringmasterErrors.GIT_FAILED(`git ${verb}: ${message}`, { cause });
}

/** Variables that a hook or another git around us has set would lead to the wrong repository. */
function environment(root: string | undefined): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|COMMON_DIR|PREFIX)$/.test(name),
  );
  const settings = { LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0' };
  const ceiling = root === undefined ? {} : { GIT_CEILING_DIRECTORIES: dirname(root) };
  return { ...Object.fromEntries(inherited), ...settings, ...ceiling };
}
