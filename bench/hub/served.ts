import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** The built server, with a token that has all permissions. */
export interface Served {
  readonly port: number;
  readonly token: string;
  readonly pid: number;
  stop(): Promise<void>;
}

const holdfast = resolve('dist/bin/holdfast');

export async function startServer(home: string, variables: NodeJS.ProcessEnv = {}): Promise<Served> {
  if (!existsSync(holdfast)) throw new Error('dist/bin/holdfast is missing: run `npm run build` first');
  const env = { ...process.env, ...variables, HOLDFAST_HOME: home };
  const made = spawnSync(holdfast, ['token', 'create', '--name', 'bench', '--scope', 'admin'], {
    env,
    encoding: 'utf8',
  });
  const child = spawn(holdfast, ['serve', '--port', '0', '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>((done) => {
    child.on('close', () => done());
  });
  const { url } = await firstLine(child);
  return {
    port: Number(new URL(url).port),
    token: made.stdout.trim(),
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function firstLine(child: ChildProcess): Promise<{ url: string }> {
  return new Promise((resolveLine) => {
    child.stdout?.once('data', (chunk: Buffer) => resolveLine(JSON.parse(chunk.toString('utf8')) as { url: string }));
  });
}

export function requestText(port: number, path: string, token?: string): string {
  const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`;
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${authorization}\r\n`;
}
