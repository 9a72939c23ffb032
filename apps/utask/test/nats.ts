import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, connect as connectSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A real nats-server with its own folder and port. */
export class NatsServer {
  readonly port: number;
  readonly folder: string;
  #process: ChildProcess | undefined;

  readonly #extra: readonly string[];

  private constructor(port: number, folder: string, extra: readonly string[]) {
    this.port = port;
    this.folder = folder;
    this.#extra = extra;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  static async start(...extra: readonly string[]): Promise<NatsServer> {
    const server = new NatsServer(await freePort(), mkdtempSync(join(tmpdir(), 'utask-nats-')), extra);
    await server.resume();
    return server;
  }

  /** Starts the server with the data it has stored. */
  async resume(): Promise<void> {
    const args = ['-a', '127.0.0.1', '-p', String(this.port), '-js', '-sd', this.folder, ...this.#extra];
    const started = spawn('nats-server', args, { stdio: 'ignore' });
    this.#process = started;
    await reachable(this.port, started);
  }

  async halt(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (running === undefined || running.exitCode !== null) return;
    const gone = new Promise((resolve) => running.once('exit', resolve));
    running.kill(signal);
    await gone;
  }

  async stop(): Promise<void> {
    await this.halt('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Three servers, n0, n1 and n2, that replicate streams. */
export class NatsCluster {
  readonly #servers: readonly NatsServer[];

  private constructor(servers: readonly NatsServer[]) {
    this.#servers = servers;
  }

  static async start(): Promise<NatsCluster> {
    const ports = [await freePort(), await freePort(), await freePort()];
    const routes = ports.map((port) => `nats://127.0.0.1:${port}`);
    const servers = routes.map((route, n) =>
      NatsServer.start('--server_name', `n${n}`, '--cluster_name', 'c', '-cluster', route, '-routes', routes.join()),
    );
    return new NatsCluster(await Promise.all(servers));
  }

  get url(): string {
    return this.#servers.map(({ url }) => url).join();
  }

  server(name: string): NatsServer {
    return this.#servers[Number(name.slice(1))] as NatsServer;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.stop()));
  }
}

const PORTS = 10_000;
const PORTS_OF_A_PROCESS = 20;
let asked = 0;

/**
 * Returns a port that stays free until a server uses it, and while that server is down. The port is below the range
 * from which the system assigns ports. Each test process tries different ports.
 */
export async function freePort(): Promise<number> {
  const [lowest = 32_768] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split('\t').map(Number);
  const first = Math.max(lowest - PORTS, 10_000);
  for (;;) {
    asked += 1;
    const port = first + ((process.pid * PORTS_OF_A_PROCESS + asked) % PORTS);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** Waits without a time limit, because machines differ, but fails as soon as the server ends. */
async function reachable(port: number, started: ChildProcess): Promise<void> {
  const failures: unknown[] = [];
  started.once('error', (error) => failures.push(error));
  while (failures.length === 0 && started.exitCode === null && started.signalCode === null) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connectSocket({ port, host: '127.0.0.1' });
      socket.once('connect', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('nats-server does not start', { cause: failures[0] });
}
