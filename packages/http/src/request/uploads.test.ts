import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { MEBIBYTE } from '@holdfast/base';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';

import { eventually, RawClient } from '../../test/raw-client.ts';
import { appOf, sampleServer, WRITER } from '../../test/sample-app.ts';
import { defineRoute, ok } from '../routes/route.ts';
import { listen, type Listening } from '../server/listen.ts';

const SIZE = 16 * MEBIBYTE;

const take = defineRoute({
  method: 'POST',
  path: '/take',
  permission: 'np:write',
  summary: 'Takes a file',
  request: { upload: { types: ['application/octet-stream'], limitBytes: 2 * SIZE } },
  responses: { 200: z.object({ bytes: z.number(), sum: z.number() }) },
  handler: async ({ upload }) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of upload.stream) chunks.push(chunk);
    const all = Buffer.concat(chunks);
    return ok({ bytes: all.byteLength, sum: all.reduce((sum, byte) => sum + byte, 0) });
  },
});

/** Takes a JSON body that may be larger than the general limit. */
const takeText = defineRoute({
  method: 'POST',
  path: '/text',
  permission: 'np:write',
  summary: 'Takes a text',
  request: { body: z.object({ text: z.string() }) },
  responses: { 200: z.object({ characters: z.number() }) },
  limits: { bodyBytes: 2 * SIZE },
  handler: ({ body }) => ok({ characters: body.text.length }),
});

let listening: Listening | undefined;
const clients: RawClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await listening?.close(100);
});

async function started(uploads: { uploadsMax?: number; uploadsPerUserMax?: number } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-uploads-'));
  const { server } = sampleServer({
    apps: [appOf(take, takeText)],
    authenticate: ({ headers }) => ({ ...WRITER, userId: headers.get('x-user') ?? 'u' }),
    uploads: { folder: join(folder, 'uploads'), ...uploads },
  });
  listening = await listen(server, { port: 0 });
  return { port: listening.port, folder: join(folder, 'uploads') };
}

const uploaded = { path: '/take', type: 'application/octet-stream', start: '', end: 'x' };
const jsonText = { path: '/text', type: 'application/json', start: '{"text":"', end: '"}' };

/** Sends only the beginning of a body. */
async function begin(port: number, user: string, bytes: number, { path, type, start, end } = uploaded) {
  const client = new RawClient(port);
  clients.push(client);
  const length = start.length + SIZE + end.length;
  client.send(
    `POST ${path} HTTP/1.1\nHost: 127.0.0.1:${port}\nX-User: ${user}\nContent-Type: ${type}\nContent-Length: ${length}\n\n${start}`,
  );
  const block = Buffer.alloc(MEBIBYTE, 'x');
  for (let sent = 0; sent < bytes; sent += MEBIBYTE) {
    await new Promise<void>((done) => void client.socket.write(block, () => done()));
  }
  return client;
}

it('sixteen unfinished uploads take no memory, and leave no files', async () => {
  const { port, folder } = await started();
  const before = process.memoryUsage().arrayBuffers;
  const users = Array.from({ length: 16 }, (_, index) => `u${index % 4}`);
  const open = await Promise.all(users.map((user) => begin(port, user, SIZE)));
  expect(open.map(({ received }) => received).join('')).toBe('');
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * SIZE);
  expect(existsSync(folder) && readdirSync(folder)).toEqual([]);
  const [first] = open;
  first?.send('x');
  await first?.until(/"bytes"/);
  expect(first?.received).toContain(`{"bytes":${SIZE + 1},"sum":${(SIZE + 1) * 'x'.charCodeAt(0)}}`);
});

it('large JSON bodies take no memory until they are complete, and count as uploads', async () => {
  const { port } = await started({ uploadsMax: 16, uploadsPerUserMax: 4 });
  const before = process.memoryUsage().arrayBuffers;
  const users = Array.from({ length: 16 }, (_, index) => `u${index % 4}`);
  const open = await Promise.all(users.map((user) => begin(port, user, SIZE, jsonText)));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * SIZE);
  const beyond = await begin(port, 'u0', 0, jsonText);
  expect(await beyond.until(/TOO_MANY_UPLOADS/)).toMatch(/^HTTP\/1.1 503 /);
  const [first] = open;
  first?.send(jsonText.end);
  expect(await first?.until(/"characters"/)).toContain(`{"characters":${SIZE}}`);
});

it('refuses an upload beyond the limit of a user or of all users, until others have ended', async () => {
  const { port } = await started({ uploadsMax: 3, uploadsPerUserMax: 2 });
  const [first] = [await begin(port, 'a', MEBIBYTE), await begin(port, 'a', MEBIBYTE)];
  const third = await begin(port, 'a', 0);
  expect(await third.until(/TOO_MANY_UPLOADS/)).toMatch(/^HTTP\/1.1 503 /);
  await begin(port, 'b', MEBIBYTE);
  const beyond = await begin(port, 'c', 0);
  expect(await beyond.until(/TOO_MANY_UPLOADS/)).toMatch(/^HTTP\/1.1 503 /);
  first.destroy();
  await eventually(() => first.isClosed, 'the first client is gone');
  const fits = async (): Promise<boolean> => {
    const client = await begin(port, 'a', MEBIBYTE);
    await new Promise((resolve) => setTimeout(resolve, 50));
    return client.received === '';
  };
  let isAccepted = false;
  for (let attempt = 0; attempt < 100 && !isAccepted; attempt++) isAccepted = await fits();
  expect(isAccepted).toBe(true);
});
