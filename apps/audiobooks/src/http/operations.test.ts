import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { type Person, type Served, serve } from '../../test/served.ts';

interface Operation {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly summary: string | null;
  readonly can_undo: boolean;
  readonly error: string | null;
}

let place: Served;

beforeAll(async () => {
  place = await serve({
    main: {
      'x/Emma 1.mp3': { album: 'Emma', artist: 'Jane Austen', track: '1' },
      'x/Emma 2.mp3': { album: 'Emma', artist: 'Jane Austen', track: '2' },
      'y/Dune.mp3': { album: 'Dune', artist: 'Frank Herbert' },
    },
  });
});
afterAll(() => place.close());

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  place.ask(path, { method: 'POST', body, as: 'owner', headers });

async function done(response: Response): Promise<Operation> {
  expect(response.status).toBe(202);
  const { id } = (await response.json()) as Operation;
  return vi.waitFor(
    async () => {
      const operation = await place.get<Operation>(`/operations/${id}`, 'owner');
      expect(['completed', 'failed', 'cancelled']).toContain(operation.status);
      return operation;
    },
    { timeout: 60_000, interval: 50 },
  );
}

const idOf = async (title: string): Promise<string> => {
  const { data } = await place.get<{ data: { id: string; title: string }[] }>('/books');
  return data.find((book) => book.title === title)?.id ?? title;
};

async function listen(as: Person) {
  const response = await place.ask('/events', { as, headers: { 'sec-fetch-site': 'same-origin' } });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const seen: { event: string; data: unknown }[] = [];
  void (async () => {
    let text = '';
    for (;;) {
      const { done: isOver, value } = await reader.read();
      if (isOver) return;
      const frames = `${text}${value}`.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) {
        const event = /^event: (.*)$/mu.exec(frame)?.[1];
        const data = /^data: (.*)$/mu.exec(frame)?.[1];
        if (event !== undefined && data !== undefined) seen.push({ event, data: JSON.parse(data) });
      }
    }
  })();
  return { seen, stop: () => reader.cancel() };
}

it('organising is looked at first, told live to those who manage, repeated once, and undone', async () => {
  const library = place.libraries['main'];
  const root = place.roots['main'] ?? '';
  const plan = await (await post('/organise/preview', { library })).json();
  expect(plan).toMatchObject({
    total_refusals: 0,
    moves: expect.arrayContaining([
      { book_id: await idOf('Dune'), from: 'y/Dune.mp3', to: 'Frank Herbert/Dune/Dune.mp3' },
    ]),
  });
  const [owner, reader] = await Promise.all([listen('owner'), listen('ada')]);
  const key = { 'idempotency-key': 'organise-once' };
  const first = await done(await post('/operations/organise', { library }, key));
  expect(first).toMatchObject({ type: 'organize', status: 'completed', can_undo: true });
  expect(((await (await post('/operations/organise', { library }, key)).json()) as Operation).id).toBe(first.id);
  expect(existsSync(join(root, 'Frank Herbert/Dune/Dune.mp3'))).toBe(true);
  await vi.waitFor(
    () =>
      expect(owner.seen).toContainEqual({
        event: 'operation',
        data: expect.objectContaining({ id: first.id, status: 'completed' }),
      }),
    15_000,
  );
  await vi.waitFor(() => expect(reader.seen.map(({ event }) => event)).toContain('book'), 15_000);
  expect(reader.seen.map(({ event }) => event)).not.toContain('operation');
  await Promise.all([owner.stop(), reader.stop()]);
  expect(await done(await post(`/operations/${first.id}/undo`, undefined))).toMatchObject({ status: 'completed' });
  expect(existsSync(join(root, 'y/Dune.mp3'))).toBe(true);
  expect((await post(`/operations/${first.id}/undo`, undefined)).status).toBe(409);
  expect((await post(`/operations/${first.id}/cancel`, undefined)).status).toBe(409);
});

it('a merge is looked at first, keeps old addresses of sound alive, and takes no words for arguments', async () => {
  const book = await idOf('Emma');
  const before = await place.get<{ segments: { url: string }[] }>(`/books/${book}`);
  expect(await (await post('/merge/preview', { book })).json()).toMatchObject({
    files: 2,
    method: 'encode',
    format: 'm4b',
  });
  for (const hostile of ['mp3 -i /etc/passwd', '-f', 'm4a;id', '../m4a']) {
    expect((await post('/operations/transcode', { book, format: hostile })).status).toBe(422);
  }
  expect((await post('/operations/merge', { book, bitrate_kbps: '64 -y' })).status).toBe(422);
  const merged = await done(await post('/operations/merge', { book }));
  expect(merged).toMatchObject({ status: 'completed', can_undo: true, error: null });
  const after = await place.get<{ segments: { url: string; content_type: string }[] }>(`/books/${book}`);
  expect(after.segments.map(({ content_type: type }) => type)).toEqual(['audio/mp4']);
  for (const { url } of [...before.segments, ...after.segments]) {
    expect((await place.ask(url.slice('/api/audiobooks'.length))).status).toBe(200);
  }
  const log = await place.get<{ data: { message: string }[] }>(`/operations/${merged.id}/log`, 'owner');
  expect(log.data.map(({ message }) => message).join()).toContain('2 files joined');
  expect(merged).toMatchObject({ summary: expect.stringMatching(/^2 files became .*Emma\.m4b$/u) });
  const again = await post('/operations/merge', { book });
  expect([again.status, await again.json()]).toMatchObject([409, { code: 'MERGE_NEEDLESS' }]);
});

it('one thing at a time is done to a library, and what is there twice can be put together', async () => {
  const library = place.libraries['main'];
  const [one, two] = await Promise.all([post('/operations/scan', { library }), post('/operations/scan', { library })]);
  expect(new Set([one.status, two.status])).toEqual(new Set([202, 409]));
  await done(one.status === 202 ? one : two);
  expect(await place.get('/duplicates', 'owner')).toEqual({ data: [], next_cursor: null });
  const list = await place.get<{ data: Operation[] }>('/operations?type=scan', 'owner');
  expect(list.data.every(({ type }) => type === 'scan')).toBe(true);
  const [keep, drop] = [await idOf('Dune'), await idOf('Emma')];
  expect((await post('/duplicates/merge', { keep, drop })).status).toBe(200);
  expect((await place.ask(`/books/${drop}`, { as: 'vera' })).status).toBe(404);
});
