import { type ChildProcess, spawn } from 'node:child_process';

import { MEBIBYTE, MINUTE } from '@holdfast/base';

import { gitEnvironment } from './environment.ts';
import { gitErrors } from './errors.ts';
import { locateGit } from './locate.ts';
import { shadowEnvironment } from './shadow.ts';

const TIME_MAX = 10 * MINUTE;
const OUTPUT_MAX = 256 * MEBIBYTE;
const STDERR_MAX = 4_096;
/** git's exit code without a repository. */
const EXIT_NO_REPOSITORY = 128;

export interface StartOptions {
  readonly folder: string;
  /** True if the folder must be a worktree itself: a broken one must not fall back to the repository around it. */
  readonly isRoot?: boolean;
  /** Index file that git uses instead of the user's. */
  readonly indexFile?: string;
  /** False for commands that do not accept git's option for literal paths. */
  readonly literalPaths?: boolean;
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

/** Starts git in the repository around a folder. The caller must read stdout and stderr. */
export function startGit(args: readonly string[], options: StartOptions): ChildProcess {
  const child = tryStart(args, options);
  if (child === undefined) throw gitFailed(args, EXIT_NO_REPOSITORY, noRepository(options));
  return child;
}

/** Returns undefined without a repository. */
function tryStart(args: readonly string[], options: StartOptions): ChildProcess | undefined {
  const { folder, isRoot = false, indexFile, literalPaths = true, env } = options;
  const location = locateGit(folder, isRoot);
  if (location === undefined) return undefined;
  return spawnGit(args, folder, {
    ...env,
    ...shadowEnvironment(location),
    GIT_LITERAL_PATHSPECS: literalPaths ? '1' : '0',
    ...(indexFile === undefined ? {} : { GIT_INDEX_FILE: indexFile }),
  });
}

function spawnGit(args: readonly string[], folder: string, env: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn('git', args, { cwd: folder, env: { ...env, ...gitEnvironment() }, windowsHide: true });
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

/** Creates a repository, idempotently, without the user's templates. */
export function initRepository(folder: string): Promise<RunResult> {
  return finished(spawnGit(['init', '-q', '--template=', '--initial-branch=main', '--', '.'], folder), undefined);
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

function finished(child: ChildProcess, input: Uint8Array | string | undefined): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const stderr = keepStderr(child);
    const timer = setTimeout(() => child.kill('SIGKILL'), TIME_MAX);
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
