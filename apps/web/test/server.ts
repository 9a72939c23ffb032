import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The built commands. */
const bin = resolve(import.meta.dirname, '../../../dist/bin');

export interface TestServer {
  readonly url: string;
  readonly setupUrl: string | null;
  readonly home: string;
  /** Working directory of commands. */
  readonly project: string;
  /** Kills the server with SIGKILL. */
  kill(): Promise<void>;
  /** Starts again with the same data home and port. */
  restart(): Promise<void>;
  /** `fillDisk` simulates a full disk; `freeDisk` ends the simulation. */
  fillDisk(): void;
  freeDisk(): void;
  /** Runs a command on the same data home in another process; returns its output. */
  run(command: string, ...args: readonly string[]): string;
  runIn(folder: string, command: string, ...args: readonly string[]): string;
  close(): Promise<void>;
}

/** `environment` applies to the server and the commands. */
export async function startServer(environment: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-web-'));
  const home = join(folder, 'home');
  const project = join(folder, 'project');
  mkdirSync(project);
  const env = { ...process.env, HOLDFAST_HOME: home, NO_COLOR: '1', ...environment };
  let running = await serve(env, '0');
  const runIn = (cwd: string, command: string, ...args: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync(join(bin, command), args, { env, cwd, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${stderr}`);
    return stdout;
  };
  const { url, setupUrl } = running;
  return {
    url,
    setupUrl,
    home,
    project,
    kill: () => ended(running.child, 'SIGKILL'),
    async restart() {
      running = await serve(env, new URL(url).port);
    },
    fillDisk: () => limitFiles(running.child, '0'),
    freeDisk: () => limitFiles(running.child, 'unlimited'),
    run: (command, ...args) => runIn(project, command, ...args),
    runIn,
    async close() {
      await ended(running.child, 'SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  readonly setupUrl: string | null;
}

function serve(env: NodeJS.ProcessEnv, port: string): Promise<Running> {
  const child = spawn(join(bin, 'holdfast'), ['serve', '--port', port, '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((done, fail) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (!text.includes('\n')) return;
      const { url, setup_url: setupUrl } = JSON.parse(text.slice(0, text.indexOf('\n'))) as {
        url: string;
        setup_url: string | null;
      };
      done({ child, url, setupUrl });
    });
    child.on('close', (code) => fail(new Error(`holdfast serve ended with ${code}`)));
  });
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((done) => {
    child.on('close', () => done());
    child.kill(signal);
  });
}

const limiter = 'prlimit';

/** Limits the file size of the process, so that its writes fail without affecting anything else. */
function limitFiles({ pid }: ChildProcess, limit: string): void {
  const { status, stderr } = spawnSync(limiter, ['--pid', String(pid), `--fsize=${limit}:unlimited`], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`prlimit failed: ${stderr}`);
}
