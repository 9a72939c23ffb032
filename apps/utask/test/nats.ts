import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, connect as connectSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A real nats-server with a folder and a port of its own. */
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

  /** With what it has stored before. */
  async resume(): Promise<void> {
    const args = ['-a', '127.0.0.1', '-p', String(this.port), '-js', '-sd', this.folder, ...this.#extra];
    this.#process = spawn('nats-server', args, { stdio: 'ignore' });
    await reachable(this.port);
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

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function reachable(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
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
  throw new Error('nats-server does not answer');
}
