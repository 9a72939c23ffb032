import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import pg from 'pg';

/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534;
export const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/**
 * Shell command that stops the server and removes its folder when this process ends. This works even if the process is
 * killed, because its pipe then closes.
 */
const GUARD =
  'exec 3<&0; "$0" "$@" </dev/null & cat <&3 >/dev/null; kill -QUIT $! 2>/dev/null; kill -CONT $! 2>/dev/null; wait; rm -rf "$PGDATA"';

const START_MS = 60_000;

/** A PostgreSQL server in a temporary folder, on a free port on this machine. */
export class TestServer {
  readonly folder: string;
  readonly port: number;
  readonly #process: ChildProcess;

  private constructor(folder: string, port: number, process_: ChildProcess) {
    this.folder = folder;
    this.port = port;
    this.#process = process_;
  }

  /** `binaries` is the folder of the programs; by default, they are found on the PATH. */
  static start(settings: readonly string[] = [], binaries = ''): Promise<TestServer> {
    const options = ['--auth=trust', '--username=holdfast', '--no-sync', '--encoding=UTF8', '--locale=C'];
    return TestServer.#startIn((folder) => [join(binaries, 'initdb'), ['-D', folder, ...options]], settings, binaries);
  }

  /** A standby that follows the server at this port. */
  static standbyOf(primary: { readonly port: number }): Promise<TestServer> {
    const source = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'holdfast'];
    return TestServer.#startIn((folder) => ['pg_basebackup', [...source, '-D', folder, '-R', '-c', 'fast', '-N']]);
  }

  static async #startIn(
    fill: (folder: string) => [program: string, args: string[]],
    settings: readonly string[] = [],
    binaries = '',
  ): Promise<TestServer> {
    const folder = join(mkdtempSync(join(tmpdir(), 'holdfast-pg-')), 'data');
    mkdirSync(folder, { mode: 0o700 });
    if (user.uid !== undefined) for (const path of [folder, join(folder, '..')]) chownSync(path, user.uid, user.gid);
    // Asynchronous, because a standby may copy its primary through a proxy in this process.
    await promisify(execFile)(...fill(folder), { ...user, cwd: folder });
    const port = await freePort();
    const all = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'fsync=off', ...settings];
    const program = join(binaries, 'postgres');
    const args = ['-c', GUARD, program, '-D', folder, ...all.flatMap((setting) => ['-c', setting])];
    const child = spawn('sh', args, {
      ...user,
      cwd: folder,
      env: { ...process.env, PGDATA: folder },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.unref();
    const server = new TestServer(folder, port, child);
    await server.#answers();
    return server;
  }

  address(database = 'postgres'): string {
    return `postgres://holdfast@127.0.0.1:${this.port}/${database}`;
  }

  /** Runs statements as an administrator. */
  run(text: string, database = 'postgres'): Promise<unknown[][]> {
    return runAt(this.address(database), text);
  }

  /** Sends a signal to all processes of the server. */
  signal(name: ServerSignal): void {
    signalServer(this.folder, name);
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const ended = new Promise<void>((resolve) => this.#process.once('exit', () => resolve()));
    // Keeps this process alive. Without this call, a program that waits for nothing else would end here.
    this.#process.ref();
    this.#process.stdin?.end();
    await ended;
  }

  async #answers(): Promise<void> {
    const end = Date.now() + START_MS;
    for (;;) {
      try {
        await this.run('SELECT 1');
        return;
      } catch (error) {
        if (Date.now() > end) throw new Error('PostgreSQL does not start: run `npm run provision`', { cause: error });
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }
}

export type ServerSignal = 'SIGKILL' | 'SIGSTOP' | 'SIGCONT';

export async function runAt(address: string, text: string): Promise<unknown[][]> {
  const client = new pg.Client(address);
  client.on('error', () => undefined);
  await client.connect();
  try {
    const result = await client.query({ text, rowMode: 'array' });
    return result.rows as unknown[][];
  } finally {
    await client.end();
  }
}

/** Sends a signal to all processes of the server with this data folder. */
export function signalServer(folder: string, name: ServerSignal): void {
  const main = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]!;
  // Signals the main process first, because it could still start a process that the loop below misses.
  process.kill(Number(main), name);
  for (const pid of readdirSync('/proc').filter((entry) => /^[0-9]+$/.test(entry))) {
    try {
      const parent = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[1];
      if (parent === main) process.kill(Number(pid), name);
    } catch {
      // The process has ended.
    }
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

let shared: Promise<TestServer> | undefined;

/** The server that all tests of this process share. Every test uses its own space. */
export function sharedServer(): Promise<TestServer> {
  shared ??= TestServer.start();
  return shared;
}

/**
 * Returns the address of the store at `path` if the tests of an application run on PostgreSQL; undefined if they run on
 * SQLite.
 */
export async function testAddress(path: string): Promise<string | undefined> {
  if (process.env['HOLDFAST_TEST_ENGINE'] !== 'postgres') return undefined;
  return `${(await sharedServer()).address()}?installation=${encodeURIComponent(path)}`;
}
