import { createReadStream, mkdirSync, openSync, ftruncateSync, writeSync, closeSync } from 'node:fs';
import { createServer as createBareServer, type Server as BareServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import { libraryAt, openAudiobooks, type ScannedFile, ScanSession } from '@holdfast/audiobooks';
import { openAudiobooksApp } from '@holdfast/audiobooks/http';
import { MEBIBYTE } from '@holdfast/base';
import { createLogger, createServer, listen, type Principal } from '@holdfast/http';

import { compare, type Context, type Figure } from '../lib/harness.ts';

/**
 * Workload: one client repeatedly downloads a whole file over loopback. Baseline: a bare node:http server in the same
 * process with `createReadStream(…).pipe(response)`.
 */
export async function benchmark(context: Context): Promise<readonly Figure[]> {
  const bytes = (context.quick ? 16 : 256) * MEBIBYTE;
  const home = join(context.folder, 'home');
  const root = join(context.folder, 'library');
  for (const folder of [home, join(root, 'Book')]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(root, 'Book', '1.mp3');
  fill(path, bytes);
  const address = await oneBook(home, root, bytes);
  const app = await openAudiobooksApp(home, console.error, {});
  const permissions = new Set(['app:audiobooks:read']);
  const server = createServer({
    apps: [app.app],
    authenticate: (): Principal => ({ userId: 'u', name: 'u', permissions, kind: 'token' }),
    info: { title: 'bench', version: '1' },
    logger: createLogger({ level: 'warn' }),
  });
  const served = await listen(server, { port: 0 });
  const bare = await bareServer(path);
  const client = new Client();
  try {
    const compared = await compare({
      operations: 1,
      rounds: context.quick ? 3 : 9,
      warmUpRounds: 1,
      ours: () => client.take(`${served.url}${address}`, bytes),
      baseline: () => client.take(`http://127.0.0.1:${(bare.address() as AddressInfo).port}/`, bytes),
    });
    const speed = (micros: number): string => `${(bytes / micros).toFixed(0)} MB/s`;
    const baseline = `bare file stream of the same process ${speed(compared.baselineMicros)} (ours ${speed(compared.oursMicros)})`;
    return [{ name: 'audiobooks.stream', value: 1 / compared.ratio, unit: '×', baseline, goal: 0.7, better: 'higher' }];
  } finally {
    await client.stop();
    bare.closeAllConnections();
    bare.close();
    await served.close();
    await app.close();
  }
}

/** Writes real bytes, because a sparse file would be faster to read. */
export function fill(path: string, bytes: number): void {
  const file = openSync(path, 'w');
  const piece = Buffer.alloc(MEBIBYTE, 'sound');
  for (let at = 0; at < bytes; at += piece.length) writeSync(file, piece);
  ftruncateSync(file, bytes);
  closeSync(file);
}

/** Creates a library with one book, as a scan would; returns the path of its only file. */
export async function oneBook(home: string, root: string, size: number): Promise<string> {
  const audiobooks = await openAudiobooks({ path: join(home, 'audiobooks.db') });
  const library = await libraryAt(audiobooks, root);
  const session = new ScanSession(audiobooks, {
    libraryId: library.id,
    operationId: null,
    by: 'bench',
    exists: () => true,
  });
  const file: ScannedFile = {
    path: 'Book/1.mp3',
    device: '1',
    inode: '1',
    size,
    mtimeNs: '1700000000000000000',
    quickHash: '1'.repeat(32),
    format: 'mp3',
    codec: 'mp3',
    stream: { codec: 'mp3', sampleRate: 44_100, channels: 2, profile: '' },
    durationMs: 60_000,
    chapters: [],
    tags: { artists: [], albumArtists: [], composers: [], narrators: [], genres: [] },
  };
  const book = { folder: 'Book', files: [file], title: 'Book', authors: [], narrators: [], series: [], genres: [] };
  const found = { ...book, durationMs: file.durationMs, chapters: [], provenance: {} };
  await session.receiver.unit({ unit: 'Book', fingerprint: '1', books: [found], problems: [] });
  await session.flush();
  // Ids are ordered by time, so this is the newest book.
  const [entry] = await audiobooks.store.engine.range({ gte: 'bfi:', lt: 'bfi;', limit: 1, reverse: true });
  await audiobooks.store.close();
  if (entry === undefined) throw new Error('the book has no file');
  return `/api/audiobooks/books/${entry[0].split(':')[1]}/segments/${String(entry[1])}/stream`;
}

function bareServer(path: string): Promise<BareServer> {
  const server = createBareServer((_request, response) => {
    createReadStream(path).pipe(response);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

const CLIENT = `
  const { parentPort } = require('node:worker_threads');
  const http = require('node:http');
  const agent = new http.Agent({ keepAlive: true });
  parentPort.on('message', (url) => {
    http.get(url, { agent }, (response) => {
      let bytes = 0;
      response.on('data', (piece) => { bytes += piece.length; });
      response.on('end', () => parentPort.postMessage(response.statusCode === 200 ? bytes : -response.statusCode));
    });
  });
`;

/** Runs in its own thread, so the server has its event loop to itself. */
class Client {
  readonly #worker = new Worker(CLIENT, { eval: true });

  take(url: string, expected: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#worker.once('message', (bytes: number) => {
        if (bytes === expected) resolve();
        else reject(new Error(`${url} gave ${bytes} of ${expected} bytes`));
      });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      this.#worker.postMessage(url);
    });
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
