import { spawn } from 'node:child_process';
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

import {
  identityOf,
  isGroupAlive,
  KIBIBYTE,
  MEBIBYTE,
  MINUTE,
  type ProcessIdentity,
  systemErrorCode,
} from '@holdfast/base';

import { ringmasterErrors } from '../model/errors.ts';

/**
 * Environment variable that contains the name of the run. All processes of a run inherit the variable, so ringmaster
 * can find them by it.
 */
export const RUN_VARIABLE = 'RINGMASTER_RUN';
/**
 * Marks helper processes of the supervisor itself, mainly git. They are not killed: they end soon, and a killed git
 * leaves locks behind.
 */
export const HELPER_VARIABLE = 'RINGMASTER_HELPER';

/** Sends a signal to a process group; returns false if the group has ended. */
function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'EPERM') return true;
    return false;
  }
}

/** Finds processes by an environment variable, even if they left their group. Linux only. */
function processesWith(wanted: string, after = 0): number[] {
  return allProcesses().filter((pid) => {
    if (pid === process.pid || pid < after) return false;
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
      return environment.startsWith(wanted) || environment.includes(`\0${wanted}`);
    } catch {
      // The process has ended, or belongs to another user.
      return false;
    }
  });
}

function allProcesses(): number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

/**
 * Kills all processes of a run and returns their number. If the pid of the run's first process is given, checks only
 * that pid and higher ones, which is much faster.
 */
export function killRun(prefix: string, first = 0): number {
  let killed = 0;
  const after = first > newestProcess() ? 0 : first;
  // A process may have started another just before it was killed, so this searches until none is left.
  for (let round = 0; round < 20; round++) {
    const found = processesWith(`${RUN_VARIABLE}=${prefix}`, after);
    if (found.length === 0) break;
    for (const pid of found) {
      try {
        process.kill(pid, 'SIGKILL');
        killed += 1;
      } catch {
        // The process has already ended.
      }
    }
  }
  return killed;
}

/**
 * Returns the bytes of memory that only the processes of a run use. Does not count file mappings: processes share them,
 * and the system can drop them.
 */
export function memoryOfRun(run: string, first: number): number {
  const after = first > newestProcess() ? 0 : first;
  return processesWith(`${RUN_VARIABLE}=${run}\0`, after).reduce((sum, pid) => sum + privateMemory(pid), 0);
}

function privateMemory(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    const sizes = [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)].map(([, size]) => Number(size));
    return sizes.reduce((sum, size) => sum + size * KIBIBYTE, 0);
  } catch {
    // The process has ended.
    return 0;
  }
}

export function hasHelpers(supervisorId: string): boolean {
  return processesWith(`${HELPER_VARIABLE}=${supervisorId}\0`).length > 0;
}

/** Returns the most recently assigned pid. Pids are assigned in order and wrap around. */
function newestProcess(): number {
  try {
    return Number(readFileSync('/proc/loadavg', 'utf8').trim().split(' ').at(-1));
  } catch {
    return 0;
  }
}

export interface ProcessRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: string | undefined;
  readonly onOutput: (chunk: Uint8Array, source: 'out' | 'err') => void;
}

export interface ProcessEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export interface RunningProcess {
  readonly identity: ProcessIdentity;
  /** Resolves when the process itself has ended. Its child processes may still run. */
  readonly exited: Promise<ProcessEnd>;
  /** Resolves when all processes have closed their output. */
  readonly closed: Promise<void>;
  /** Sends a signal to the whole process group. */
  readonly signal: (name: NodeJS.Signals) => boolean;
  /** Returns whether any process of the group still runs. */
  readonly hasGroup: () => boolean;
  /** Stops reading from processes that still hold the pipes. */
  readonly abandonOutput: () => void;
}

/**
 * Returns whether a command exists. A relative path counts as existing, because it is resolved later, in the worktree.
 */
export function commandExists(command: string, env: Readonly<Record<string, string | undefined>>): boolean {
  if (command.includes('/')) return !isAbsolute(command) || isExecutable(command);
  return (env['PATH'] ?? '').split(delimiter).some((folder) => folder !== '' && isExecutable(join(folder, command)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Starts a command in its own process group; rejects if it cannot be started. */
export function startProcess(request: ProcessRequest): Promise<RunningProcess> {
  return new Promise((resolve, reject) => {
    const child = spawn(request.command, request.args, {
      cwd: request.folder,
      env: request.env,
      detached: true,
      stdio: [request.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    child.stdout?.on('data', (chunk: Buffer) => request.onOutput(chunk, 'out'));
    child.stderr?.on('data', (chunk: Buffer) => request.onOutput(chunk, 'err'));
    const exited = new Promise<ProcessEnd>((done) => {
      child.once('exit', (exitCode, signal) => done({ exitCode, signal }));
    });
    const closed = new Promise<void>((done) => {
      child.once('close', () => done());
    });
    child.once('error', reject);
    child.once('spawn', () => {
      const pid = child.pid ?? 0;
      resolve({
        identity: identityOf(pid),
        exited,
        closed,
        signal: (name) => signalGroup(pid, name),
        hasGroup: () => signalGroup(pid, 0) && isGroupAlive(pid),
        abandonOutput() {
          child.stdout?.destroy();
          child.stderr?.destroy();
        },
      });
    });
    // A worker need not read its prompt, so a write error is ignored.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(request.stdin);
  });
}

/** Kills the supervisor's processes after the supervisor has died, so that workers do not outlive it. */
export interface Guardian {
  readonly dismiss: () => void;
}

export function startGuardian(supervisorId: string): Guardian {
  const environment = { ...process.env };
  // The guardian must not inherit these variables: it would kill itself, or an outer supervisor would kill it before
  // its work is done.
  delete environment[RUN_VARIABLE];
  delete environment[HELPER_VARIABLE];
  process.env[HELPER_VARIABLE] = supervisorId;
  const child = spawn(process.execPath, ['-e', guardianProgram(`${RUN_VARIABLE}=${supervisorId}.`)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: environment,
  });
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  return { dismiss: () => child.stdin.end() };
}

/** Returns the guardian's source text, because a bundled command has no separate file to start. */
function guardianProgram(wanted: string): string {
  return `const fs = require('node:fs');
const found = () => fs.readdirSync('/proc').filter((name) => {
  if (!/^[0-9]+$/.test(name) || Number(name) === process.pid) return false;
  try {
    return ('\\0' + fs.readFileSync('/proc/' + name + '/environ', 'latin1')).includes('\\0' + ${JSON.stringify(wanted)});
  } catch { return false; }
});
const end = () => {
  for (let round = 0; round < 100; round++) {
    const left = found();
    if (left.length === 0) break;
    for (const pid of left) try { process.kill(Number(pid), 'SIGKILL'); } catch {}
  }
  process.exit();
};
process.stdin.on('end', end).on('error', end).on('close', end).resume();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => {});`;
}

const TIME_MAX = 5 * MINUTE;
const BYTES_MAX = 4 * MEBIBYTE;

export interface CommandForText {
  readonly program: string;
  readonly args: readonly string[];
  readonly input: string;
  readonly folder: string;
}

/** Runs a configured command with text on standard input and returns its output. */
export function runForText({ program, args, input, folder }: CommandForText): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'], timeout: TIME_MAX });
    const failed = (how: string, cause?: unknown): void =>
      reject(ringmasterErrors.TEXT_INVALID(`"${program}" ${how}`, { cause }));
    const chunks: Buffer[] = [];
    let received = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received <= BYTES_MAX) chunks.push(chunk);
      // Closing the pipe ends a program that continues to write.
      else child.stdout.destroy();
    });
    child.on('error', (error) => failed(`could not be started: ${error.message}`, error));
    // A command need not read its input, so a write error is ignored.
    child.stdin.on('error', () => undefined);
    child.on('close', (code, signal) => {
      if (received > BYTES_MAX) failed(`prints more than ${BYTES_MAX} bytes`);
      else if (code === 0) resolve(Buffer.concat(chunks).toString('utf8').trim());
      else failed(`exited with ${code ?? signal}`);
    });
    child.stdin.end(input);
  });
}
