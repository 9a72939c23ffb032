import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { MEBIBYTE, MINUTE, syncFile, syncFolder, systemErrorCode, writeFileDurablySync } from '@holdfast/base';

import { gitEnvironment, networkEnvironment } from './environment.ts';
import { gitErrors } from './errors.ts';
import { isUnfinished, locateGit } from './locate.ts';
import { shadowEnvironment } from './shadow.ts';

const TIME_MAX = 10 * MINUTE;
const OUTPUT_MAX = 256 * MEBIBYTE;
const STDERR_MAX = 4_096;
/** git's exit code outside a repository. */
const EXIT_NO_REPOSITORY = 128;

export interface StartOptions {
  readonly folder: string;
  /**
   * True if the folder itself must be a worktree. If it is false and the worktree is broken, git uses the repository
   * that contains the worktree.
   */
  readonly isRoot?: boolean;
  /** Index file that git uses instead of the user's. */
  readonly indexFile?: string;
  /**
   * True (the default) makes git take paths literally, not as patterns. Must be false for commands that do not accept
   * this option.
   */
  readonly literalPaths?: boolean;
  /** True if git may connect to a remote repository. */
  readonly allowsNetwork?: boolean;
  /** Additional environment variables for git. */
  readonly env?: NodeJS.ProcessEnv;
}

export interface RunOptions extends StartOptions {
  readonly input?: Uint8Array | string;
  /** Additional exit codes that are not failures. */
  readonly expected?: readonly number[] | 'any';
}

export interface RunResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Starts git in the repository that contains a folder. The caller must read stdout and stderr. */
export function startGit(args: readonly string[], options: StartOptions): ChildProcess {
  const child = tryStart(args, options);
  if (child === undefined) throw gitFailed(args, EXIT_NO_REPOSITORY, noRepository(options));
  return child;
}

/** Returns undefined if there is no repository. */
function tryStart(args: readonly string[], options: StartOptions): ChildProcess | undefined {
  const { folder, isRoot = false, indexFile, literalPaths = true, allowsNetwork = false, env } = options;
  const location = locateGit(folder, isRoot);
  if (location === undefined) return undefined;
  const variables = {
    ...env,
    ...shadowEnvironment(location),
    GIT_LITERAL_PATHSPECS: literalPaths ? '1' : '0',
    ...(indexFile === undefined ? {} : { GIT_INDEX_FILE: indexFile }),
  };
  return spawnGit(args, folder, variables, allowsNetwork ? networkEnvironment() : {});
}

export function spawnGit(
  args: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv = {},
  network: NodeJS.ProcessEnv = {},
): ChildProcess {
  return spawn('git', args, { cwd: folder, env: { ...env, ...gitEnvironment(), ...network }, windowsHide: true });
}

/** Runs git to completion; throws with git's message on failure. */
export async function runGit(args: readonly string[], options: RunOptions): Promise<RunResult> {
  const child = tryStart(args, options);
  const result =
    child === undefined
      ? { code: EXIT_NO_REPOSITORY, stdout: Buffer.alloc(0), stderr: noRepository(options) }
      : await finished(child, options.input);
  const { expected = [] } = options;
  if (result.code === 0 || expected === 'any' || expected.includes(result.code)) return result;
  throw gitFailed(args, result.code, result.stderr);
}

export async function gitText(args: readonly string[], options: RunOptions): Promise<string> {
  return (await runGit(args, options)).stdout.toString('utf8');
}

/**
 * Creates a repository without the user's templates. Calling this again is safe, even from several processes at once.
 * Syncs the repository, so that a power cut does not leave an empty HEAD. Fills an empty HEAD, which `git init` would
 * keep.
 */
export async function initRepository(folder: string): Promise<RunResult> {
  const gitDir = join(folder, '.git');
  const head = join(gitDir, 'HEAD');
  if (existsSync(head) && statSync(gitDir).isDirectory() && isUnfinished(gitDir)) {
    writeFileDurablySync(head, 'ref: refs/heads/main\n', 0o666);
  }
  const args = ['init', '-q', '--template=', '--initial-branch=main', '--', '.'];
  const result = await finished(spawnGit(args, folder), undefined);
  if (result.code === 0) await syncTree(gitDir);
  return result;
}

/**
 * Skips files that disappear during the sync: a concurrent `git init` renames its `config.lock` and syncs the result
 * itself.
 */
async function syncTree(folder: string): Promise<void> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await syncTree(path);
    else if (entry.isFile()) await syncFile(path).catch(unlessMissing);
  }
  await syncFolder(folder);
}

function unlessMissing(error: unknown): void {
  if (systemErrorCode(error) !== 'ENOENT') throw error;
}

function noRepository({ folder }: StartOptions): string {
  return `not a git repository: ${folder}`;
}

export function gitFailed(args: readonly string[], code: number | null, stderr: string): Error {
  const lines = stderr.trim().split('\n');
  // The reason starts at the last line with `fatal:` or `error:` and continues below it.
  const reason = lines.findLastIndex((line) => /^(?:fatal|error):/.test(line));
  const said = (reason < 0 ? lines.slice(-3) : lines.slice(reason, reason + 3)).join(' ');
  return gitErrors.GIT_FAILED(`git ${args[0] ?? ''} ended with ${code ?? 'a signal'}: ${said}`, {
    details: { code, stderr: said },
  });
}

/** Collects stderr up to a limit, because git can print a line for each of a million files. */
export function keepStderr(child: ChildProcess): () => string {
  let kept = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (kept.length < STDERR_MAX) kept += text;
  });
  return () => kept;
}

export function finished(
  child: ChildProcess,
  input: Uint8Array | string | undefined,
  timeMax: number = TIME_MAX,
): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const stderr = keepStderr(child);
    const timer = setTimeout(() => child.kill('SIGKILL'), timeMax);
    child.stdout?.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > OUTPUT_MAX) child.kill('SIGKILL');
      else chunks.push(chunk);
    });
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(gitErrors.GIT_FAILED(`git cannot be started: ${error.message}`, { cause: error }));
    });
    // git may exit before it reads all input; its exit code explains the failure.
    child.stdin?.on('error', () => undefined);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code: code ?? -1, stdout: Buffer.concat(chunks), stderr: stderr() });
    });
    child.stdin?.end(input ?? '');
  });
}

/** Splits NUL-terminated output, as git prints with -z. */
export function nulTerminated(output: Buffer | string): string[] {
  return output
    .toString('utf8')
    .split('\0')
    .filter((part) => part !== '');
}
