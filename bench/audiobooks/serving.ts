import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import { openAccounts, openAccountsKeyspace } from '@holdfast/accounts';
import { openAudiobooksApp } from '@holdfast/audiobooks/http';
import { MEBIBYTE } from '@holdfast/base';
import { createLogger, createServer, listen, type Principal } from '@holdfast/http';
import { sqliteEngine } from '@holdfast/keyspace';

import { type Context, type Figure, median, quantile } from '../lib/harness.ts';
import { ASKING, generateLibrary, generateListening } from './generated.ts';
import { fill, oneBook } from './stream.ts';

const BOOKS = 600;
const STREAMS = 200;
const PASSWORD = 'correct horse battery staple';
const PERMISSIONS = new Set(['app:audiobooks:read', 'app:audiobooks:write', 'app:audiobooks:admin']);

/**
 * Workload: one client sends requests over HTTP, one after the other, to a library of 600 books: a page of 50 books, a
 * search, the home page, and the page of 50 books as an Audiobookshelf client requests it. Then it requests the page
 * again while 200 other clients slowly play a file. The clients run in threads of their own.
 */
export async function benchmark(context: Context): Promise<readonly Figure[]> {
  const home = join(context.folder, 'home');
  const root = join(context.folder, 'library');
  for (const folder of [home, join(root, 'Book')]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const made = await generateLibrary(home, 'audiobooks', BOOKS, context.progress);
  await generateListening(made, 20 * BOOKS, context.progress);
  await made.close();
  fill(join(root, 'Book', '1.mp3'), 64 * MEBIBYTE);
  const stream = await oneBook(home, root, 64 * MEBIBYTE);
  await addUser(home);
  const app = await openAudiobooksApp(home, console.error, {});
  const server = createServer({
    apps: [app.app, ...app.others],
    authenticate: (): Principal => ({ userId: ASKING, name: 'bench', permissions: PERMISSIONS, kind: 'token' }),
    info: { title: 'bench', version: '1' },
    logger: createLogger({ level: 'warn' }),
    origins: ['http://127.0.0.1'],
  });
  const served = await listen(server, { port: 0 });
  const client = new Client();
  const slow = new SlowClients();
  try {
    const times = context.quick ? 20 : 1_000;
    const native = `${served.url}/api/audiobooks`;
    const page = `${native}/books?limit=50`;
    await client.ask(page, times / 2);
    const figures: Figure[] = [];
    const requests = [
      ['page', page],
      ['search', `${native}/books?limit=50&q=title`],
      ['home', `${native}/shelves`],
    ] as const;
    const medians = new Map<string, number>();
    for (const [name, url] of requests) {
      context.progress(name);
      const measured = median(await client.ask(url, times));
      medians.set(name, measured);
      figures.push(absolute(`audiobooks.serve.${name}`, measured));
    }
    context.progress('clients');
    const items = await clientItems(served.url, native);
    const [ours, theirs] = [await client.ask(items.url, times, items.token), await client.ask(page, times)];
    figures.push(ratio('audiobooks.serve.clients', median(ours), median(theirs), 'the native page', 1.5));
    context.progress('slow streams');
    const idle = quantile(await client.ask(page, times), 0.99);
    await slow.start(`${served.url}${stream}`, context.quick ? 10 : STREAMS);
    const busy = quantile(await client.ask(page, times), 0.99);
    figures.push(ratio('audiobooks.serve.during_streams', busy, idle, 'p99 without streams', 5));
    return figures;
  } finally {
    await slow.stop();
    await client.stop();
    await served.close();
    await app.close();
  }
}

function absolute(name: string, micros: number): Figure {
  return { name, value: micros / 1_000, unit: 'ms', baseline: 'p50 over HTTP, 600 books', goal: 2, better: 'lower' };
}

function ratio(name: string, ours: number, theirs: number, baseline: string, goal: number): Figure {
  const measured = `${theirs.toFixed(0)} µs (ours ${ours.toFixed(0)} µs)`;
  return { name, value: ours / theirs, unit: '×', baseline: `${baseline}: ${measured}`, goal, better: 'lower' };
}

async function addUser(home: string): Promise<void> {
  const keyspace = await openAccountsKeyspace(await sqliteEngine({ path: join(home, 'accounts.db') }));
  const accounts = await openAccounts({ keyspace });
  const { id } = await accounts.createOwner({ username: 'owner' });
  await accounts.setPassword({ userId: id, password: PASSWORD });
  await accounts.settled();
  await keyspace.close();
}

/** Signs a client in; returns the address of its page of 50 books. */
async function clientItems(url: string, native: string): Promise<{ readonly url: string; readonly token: string }> {
  await fetch(`${native}/clients`, { method: 'PUT' });
  const base = `${url}/audiobookshelf`;
  const headers = { 'content-type': 'application/json', 'x-return-tokens': 'true' };
  const body = JSON.stringify({ username: 'owner', password: PASSWORD });
  const login = (await (await fetch(`${base}/login`, { method: 'POST', headers, body })).json()) as {
    readonly user: { readonly accessToken: string };
  };
  const token = login.user.accessToken;
  const answer = await fetch(`${base}/api/libraries`, { headers: { authorization: `Bearer ${token}` } });
  const { libraries } = (await answer.json()) as { readonly libraries: readonly { readonly id: string }[] };
  const query = 'limit=50&page=0&minified=1&sort=media.metadata.title';
  return { url: `${base}/api/libraries/${libraries[0]?.id ?? ''}/items?${query}`, token };
}

const CLIENT = `
  const { parentPort } = require('node:worker_threads');
  const http = require('node:http');
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const one = (url, headers) => new Promise((resolve, reject) => {
    const started = performance.now();
    http.get(url, { agent, headers }, (response) => {
      response.resume();
      response.on('end', () => response.statusCode === 200
        ? resolve((performance.now() - started) * 1000)
        : reject(new Error(url + ' answered ' + response.statusCode)));
    }).on('error', reject);
  });
  parentPort.on('message', async ({ url, times, token }) => {
    try {
      const micros = [];
      const headers = token === undefined ? {} : { authorization: 'Bearer ' + token };
      for (let n = 0; n < times; n++) micros.push(await one(url, headers));
      parentPort.postMessage({ micros });
    } catch (error) {
      parentPort.postMessage({ problem: String(error) });
    }
  });
`;

/** Sends one request after the other; returns the time of each in microseconds. */
class Client {
  readonly #worker = new Worker(CLIENT, { eval: true });

  ask(url: string, times: number, token?: string): Promise<readonly number[]> {
    return new Promise((resolve, reject) => {
      this.#worker.once('message', ({ micros, problem }: { micros: readonly number[]; problem?: string }) =>
        problem === undefined ? resolve(micros) : reject(new Error(problem)),
      );
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      this.#worker.postMessage({ url, times, token });
    });
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}

const SLOW = `
  const { parentPort } = require('node:worker_threads');
  const http = require('node:http');
  parentPort.on('message', ({ url, count }) => {
    let open = 0;
    for (let n = 0; n < count; n++) {
      http.get(url, { agent: false }, (response) => {
        // Reads 64 KiB every 200 ms, spread over time: about ten times as fast as speech.
        response.pause();
        setTimeout(() => setInterval(() => response.read(65536), 200), n);
        open += 1;
        if (open === count) parentPort.postMessage('open');
      });
    }
  });
`;

class SlowClients {
  readonly #worker = new Worker(SLOW, { eval: true });

  start(url: string, count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#worker.once('message', () => resolve());
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      this.#worker.postMessage({ url, count });
    });
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
