import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

export interface RunningServer {
  readonly url: string;
  stop(): Promise<void>;
}

const TRIES = 200;

/** A nats-server on loopback with its files in the measured folder. */
export async function startNats(folder: string): Promise<RunningServer> {
  const port = await freePort();
  const args = ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', join(folder, 'nats')];
  const server = spawn('nats-server', args, { stdio: 'ignore' });
  for (let attempt = 0; attempt < TRIES && !(await answers(port)); attempt++) {
    await new Promise((resolve) => {
      setTimeout(resolve, 25);
    });
  }
  return {
    url: `nats://127.0.0.1:${port}`,
    async stop() {
      const gone = once(server, 'exit');
      server.kill('SIGKILL');
      await gone;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, 'close');
  return port;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
