/** Runs the fixture in its own process, as a shell would. */
import { spawn } from 'node:child_process';
import type { ChildProcess, ChildProcessWithoutNullStreams, SpawnOptions } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const repositoryRoot = fileURLToPath(new URL('../../..', import.meta.url));

/** Command line that starts the fixture from its sources. */
export const fixtureCommand: readonly string[] = [
  process.execPath,
  '--import',
  import.meta.resolve('tsx'),
  '--conditions=holdfast-source',
  fileURLToPath(new URL('fixture/main.ts', import.meta.url)),
];

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface RunOptions extends SpawnOptions {
  readonly input?: string;
  /** Called with all of standard error so far. */
  readonly onStderr?: (text: string, child: ChildProcess) => void;
}

export async function runProcess(words: readonly string[], options: RunOptions = {}): Promise<Finished> {
  const { input, onStderr, ...rest } = options;
  const [file = '', ...args] = words;
  const child = spawn(file, args, { ...rest, env: { ...process.env, NO_COLOR: '1', ...rest.env }, stdio: 'pipe' });
  const stdout: Buffer[] = [];
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    onStderr?.(stderr, child);
  });
  child.stdin?.end(input ?? '');
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, stdout: Buffer.concat(stdout), stderr }));
  });
}

export async function runFixture(words: readonly string[], options: RunOptions = {}): Promise<Finished> {
  return runProcess([...fixtureCommand, ...words], options);
}

/** Runs a bash script that can call the fixture as `fixture`, or as `"${FIXTURE[@]}"`. */
export async function runInBash(script: string, options: RunOptions = {}): Promise<Finished> {
  const command = fixtureCommand.map((word) => `'${word}'`).join(' ');
  return runProcess(['bash', '-c', `FIXTURE=(${command})\nfixture() { "\${FIXTURE[@]}" "$@"; }\n${script}`], options);
}

/** Starts a command in a pseudo-terminal, which `script` provides. */
export function spawnAtTerminal(command: string, env: NodeJS.ProcessEnv = process.env): ChildProcessWithoutNullStreams {
  const [file, ...args] = ['script', '-qec', command, '/dev/null'] as const;
  return spawn(file, args, { env, stdio: 'pipe' });
}
