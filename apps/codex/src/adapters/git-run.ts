import { spawn, type ChildProcess } from 'node:child_process';

import { MEBIBYTE, MINUTE } from '@holdfast/base';

import { codexErrors } from '../model/errors.ts';

/**
 * Settings of every git process. Nothing of the user's repository is run: no hooks, no signing, no file system monitor,
 * no garbage collection in the background. What was committed is on disk when git says so.
 */
const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.quotePath=false',
  'core.fsync=all',
  'core.fsyncMethod=fsync',
  'commit.gpgSign=false',
  'gc.auto=0',
  'maintenance.auto=false',
  // One pack for each batch: two files to sync instead of one for each object.
  'fastimport.unpackLimit=0',
].flatMap((setting) => ['-c', setting]);

/** Variables that git may see. Others, first of all `GIT_DIR` and its kin, would send it to another repository. */
const PASSED_ON = ['PATH', 'HOME', 'XDG_CONFIG_HOME', 'TMPDIR', 'USER', 'LOGNAME', 'SystemRoot'];

const OUTPUT_MAX = 256 * MEBIBYTE;
const STDERR_MAX = 4_096;

export interface RunOptions {
  readonly folder: string;
  readonly input?: Uint8Array | string;
  /** Another index than the user's. */
  readonly indexFile?: string;
  readonly timeoutMs?: number;
  /** False for the commands that refuse to be told that paths are no patterns. */
  readonly literalPaths?: boolean;
  /** Exit codes besides 0 that are answers, not failures. */
  readonly expected?: readonly number[];
}

export interface RunResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

function gitEnvironment({ indexFile, literalPaths = true }: StartOptions): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = {
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_LITERAL_PATHSPECS: literalPaths ? '1' : '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    ...(indexFile === undefined ? {} : { GIT_INDEX_FILE: indexFile }),
  };
  for (const name of PASSED_ON) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}

type StartOptions = Pick<RunOptions, 'indexFile' | 'literalPaths'>;

/** Starts git without a shell. What it prints on stderr is the caller's to read. */
export function startGit(folder: string, args: readonly string[], options: StartOptions = {}): ChildProcess {
  return spawn('git', [...SETTINGS, ...args], {
    cwd: folder,
    env: gitEnvironment(options),
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
}

/** Runs git to its end. Fails with what git said. */
export async function runGit(args: readonly string[], options: RunOptions): Promise<RunResult> {
  const { folder, input, timeoutMs = 5 * MINUTE, expected = [] } = options;
  const child = startGit(folder, args, options);
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  try {
    const [code, stdout, stderr] = await collect(child, input);
    if (code === 0 || expected.includes(code)) return { code, stdout, stderr };
    throw gitFailed(args, code, stderr);
  } finally {
    clearTimeout(timer);
  }
}

export async function gitText(args: readonly string[], options: RunOptions): Promise<string> {
  const { stdout } = await runGit(args, options);
  return stdout.toString('utf8');
}

export function gitFailed(args: readonly string[], code: number | null, stderr: string): Error {
  const said = stderr.trim().split('\n').slice(-3).join(' ');
  return codexErrors.GIT_UNAVAILABLE(`git ${args[0] ?? ''} ended with ${code ?? 'a signal'}: ${said}`, {
    details: { code, stderr: said },
  });
}

/** What git prints on stderr, up to a limit: it can be one line for each of a million files. */
export function keepStderr(child: ChildProcess): () => string {
  let kept = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (kept.length < STDERR_MAX) kept += text;
  });
  return () => kept;
}

function collect(child: ChildProcess, input: Uint8Array | string | undefined): Promise<[number, Buffer, string]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const stderr = keepStderr(child);
    child.stdout?.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > OUTPUT_MAX) child.kill('SIGKILL');
      else chunks.push(chunk);
    });
    child.on('error', (error) =>
      reject(codexErrors.GIT_UNAVAILABLE(`git cannot be started: ${error.message}`, { cause: error })),
    );
    // It may end before it has read everything; its exit code says why.
    child.stdin?.on('error', () => undefined);
    child.on('close', (code) => resolve([code ?? -1, Buffer.concat(chunks), stderr()]));
    child.stdin?.end(input ?? '');
  });
}

/** What git prints under -z. */
export function nulTerminated(output: Buffer): string[] {
  return output
    .toString('utf8')
    .split('\0')
    .filter((part) => part !== '');
}
