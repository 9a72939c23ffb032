import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

import { afterEach } from 'vitest';

export const holdfast = resolve(import.meta.dirname, '../../../dist/bin/holdfast');
const running: ChildProcess[] = [];

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  readonly setup_url: string | null;
  readonly ended: Promise<number | null>;
}

export const serve = (home: string, ...args: string[]): Promise<Started> => serveWith({}, home, ...args);

export async function serveWith(
  env: Readonly<Record<string, string>>,
  home: string,
  ...args: string[]
): Promise<Started> {
  const child = spawn(holdfast, ['serve', '--json', ...args], {
    env: { ...process.env, HOLDFAST_HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  const ended = new Promise<number | null>((done) => {
    child.on('close', (code) => done(code));
  });
  const line = await new Promise<string>((done, fail) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('\n')) done(text.split('\n')[0] ?? '');
    });
    void ended.then((code) => fail(new Error(`ended with ${code} before it listened`)));
  });
  return { child, ended, ...(JSON.parse(line) as { url: string; setup_url: string | null }) };
}

/** Like `command`, but asynchronous, so that this process can answer the command's requests. */
export function commandLater(home: string, args: readonly string[]): Promise<{ code: number | null; stderr: string }> {
  const child = spawn(holdfast, args, {
    env: { ...process.env, HOLDFAST_HOME: home },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.push(child);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  return new Promise((done) => {
    child.on('close', (code) => done({ code, stderr }));
  });
}

export function command(
  home: string,
  args: readonly string[],
  input = '',
): { code: number | null; stdout: string; stderr: string } {
  const ran = spawnSync(holdfast, args, { env: { ...process.env, HOLDFAST_HOME: home }, encoding: 'utf8', input });
  return { code: ran.status, stdout: ran.stdout, stderr: ran.stderr };
}

export function tokenFor(home: string): string {
  const { stdout } = command(home, ['token', 'create', '--name', 'test', '--scope', 'admin', '--json']);
  return (JSON.parse(stdout) as { data: { secret: string } }).data.secret;
}

export const get = (url: string, token: string) => fetch(url, { headers: { authorization: `Bearer ${token}` } });
