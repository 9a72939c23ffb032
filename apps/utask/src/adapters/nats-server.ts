import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { delay, identityOf, isAlive, type ProcessIdentity, readJson, writeFileDurablySync } from '@holdfast/base';
import { utaskErrors } from '../model/errors.ts';

/**
 * A nats-server for one person on one machine. It listens on loopback, provides JetStream, and stores its files in the
 * data home.
 */
export interface LocalServer extends ProcessIdentity {
  readonly url: string;
  readonly folder: string;
  readonly log: string;
}

const HOST = '127.0.0.1';
const START_TRIES = 100;
const STOP_TRIES = 200;
const TRY_PAUSE_MS = 50;

export function runningServer(home: string): LocalServer | undefined {
  const server = readJson(serverPaths(home).record) as LocalServer | undefined;
  return server !== undefined && isAlive(server) ? server : undefined;
}

export async function startServer(home: string, port: number): Promise<LocalServer> {
  const { record, folder, log } = serverPaths(home);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (await answers(port)) {
    throw utaskErrors.SERVER_NOT_STARTED(`Port ${port} is already in use.`, {
      hint: 'Choose one with --port.',
    });
  }
  const output = openSync(log, 'a', 0o600);
  const child = spawn('nats-server', ['-a', HOST, '-p', String(port), '-js', '-sd', folder], {
    detached: true,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const failed = new Promise<never>((_, reject) => {
    child.once('error', (error) => reject(utaskErrors.SERVER_NOT_STARTED(error.message, { cause: error })));
    child.once('exit', (code) =>
      reject(utaskErrors.SERVER_NOT_STARTED(`nats-server exited with ${code}; see ${log}.`)),
    );
  });
  try {
    await Promise.race([failed, untilAnswering(port)]);
  } catch (error) {
    child.kill();
    throw error;
  } finally {
    child.removeAllListeners();
    failed.catch(() => undefined);
  }
  child.unref();
  const server = { ...identityOf(child.pid as number), url: `nats://${HOST}:${port}`, folder, log };
  writeFileDurablySync(record, JSON.stringify(server));
  return server;
}

export async function stopServer(home: string): Promise<LocalServer | undefined> {
  const server = runningServer(home);
  if (server === undefined) return undefined;
  process.kill(server.pid, 'SIGTERM');
  for (let attempt = 1; attempt <= STOP_TRIES && isAlive(server); attempt++) await delay(TRY_PAUSE_MS);
  rmSync(serverPaths(home).record, { force: true });
  return server;
}

function serverPaths(home: string) {
  return { record: join(home, 'nats-server.json'), folder: join(home, 'nats'), log: join(home, 'nats-server.log') };
}

async function untilAnswering(port: number): Promise<void> {
  for (let attempt = 1; attempt <= START_TRIES; attempt++) {
    if (await answers(port)) return;
    await delay(TRY_PAUSE_MS);
  }
  throw utaskErrors.SERVER_NOT_STARTED(`nats-server does not answer on port ${port}.`);
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: HOST });
    const end = (isThere: boolean) => (): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', end(true)).once('error', end(false));
  });
}
