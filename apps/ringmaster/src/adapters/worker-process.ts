import { spawn } from 'node:child_process';

import { identityOf, isGroupAlive, type ProcessIdentity } from '@holdfast/base';

import { signalGroup } from './processes.ts';

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
  /** Resolves when the process itself has ended; what it started may still run. */
  readonly exited: Promise<ProcessEnd>;
  /** Resolves when no process can print any more. */
  readonly closed: Promise<void>;
  /** Signals the whole group. */
  readonly signal: (name: NodeJS.Signals) => boolean;
  /** Whether any process of the group still runs. */
  readonly hasGroup: () => boolean;
  /** Stops reading from processes that still hold the pipes. */
  readonly abandonOutput: () => void;
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
    // The worker need not read its prompt.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(request.stdin);
  });
}
