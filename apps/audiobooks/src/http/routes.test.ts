import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Served, serve } from '../../test/served.ts';

interface Row {
  readonly id: string;
  readonly title: string;
  readonly cover: string | null;
  readonly library_id: string;
  readonly segments: readonly { readonly id: string; readonly url: string; readonly content_type: string }[];
  readonly chapters: readonly unknown[];
}

interface Rows {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
  readonly total: number | null;
}

const BASE = '/api/audiobooks';
let place: Served;

beforeAll(async () => {
  place = await serve({
    main: {
      'Jane Austen/Emma/01.mp3': { album: 'Emma', artist: 'Jane Austen', genre: 'Classic' },
      'Jane Austen/Emma/02.mp3': { album: 'Emma', artist: 'Jane Austen', genre: 'Classic' },
      'Jane Austen/Persuasion/01.mp3': { album: 'Persuasion', artist: 'Jane Austen', genre: 'Classic' },
      'Frank Herbert/Dune/Dune.m4b': { album: 'Dune', artist: 'Frank Herbert' },
    },
    private: { 'Ann Other/Diary/01.mp3': { album: 'Diary', artist: 'Ann Other' } },
  });
});
afterAll(() => place.close());

const all = async (query = ''): Promise<Rows> => place.get<Rows>(`/books${query}`);
const named = async (title: string): Promise<Row> => {
  const found = (await all()).data.find((row) => row.title === title);
  return place.get<Row>(`/books/${found?.id ?? title}`);
};
const below = (address: string | null): string => (address ?? '').slice(BASE.length);

/** A small file that declares huge dimensions: a decompression bomb. */
function claiming(png: Buffer, dots: number): Buffer {
  const bomb = Buffer.from(png);
  bomb.writeUInt32BE(dots, 16);
  bomb.writeUInt32BE(dots, 20);
  bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
  return bomb;
}

describe('books', () => {
  it('are listed by title and shown with files and chapters', async () => {
    expect((await all()).data.map(({ title }) => title)).toEqual(['Diary', 'Dune', 'Emma', 'Persuasion']);
    const emma = await named('Emma');
    expect(emma.segments).toHaveLength(2);
    expect((await named('Dune')).chapters).toHaveLength(4);
    expect((await place.ask('/books/01ARZ3NDEKTSV4RRFFQ69G5FAV')).status).toBe(404);
  });
});

describe('lists', () => {
  it('combine filters, keep every order, and count what is known', async () => {
    const titles = async (query: string): Promise<string> =>
      (await all(query)).data.map(({ title }) => title).join(', ');
    expect(await titles('?author=Jane%20Austen')).toBe('Emma, Persuasion');
    expect(await titles('?author=Jane%20Austen&order=desc')).toBe('Persuasion, Emma');
    expect(await titles('?author=Jane%20Austen&sort=duration&order=desc')).toBe('Emma, Persuasion');
    expect(await titles('?sort=author')).toBe('Emma, Persuasion, Dune, Diary');
    expect(await titles('?genre=classic&author=Frank%20Herbert')).toBe('');
    expect(await titles('?q=austen%20emm')).toBe('Emma');
    expect(await titles(`?library=${place.libraries['main']}&sort=added&order=asc`)).toHaveLength(22);
    expect(await titles('?state=missing')).toBe('');
    expect(await titles('?state=unstarted&limit=2')).toBe('Diary, Dune');
    expect(await titles('?author=Nobody')).toBe('');
    const counts = ['', '?genre=classic', `?library=${place.libraries['private']}`, '?q=emma'];
    expect(await Promise.all(counts.map(async (query) => (await all(query)).total))).toEqual([4, 2, 1, null]);
  });

  it('go on where the page before ended', async () => {
    const seen: string[] = [];
    let cursor = '';
    do {
      const rows = await all(`?limit=1&state=unstarted${cursor}`);
      seen.push(...rows.data.map(({ title }) => title));
      cursor = rows.next_cursor === null ? '' : `&cursor=${rows.next_cursor}`;
    } while (cursor !== '' && seen.length < 10);
    expect(seen).toEqual(['Diary', 'Dune', 'Emma', 'Persuasion']);
  });

  it('have groups with counts, authors with their books, and what begins like what is typed', async () => {
    const authors = await place.get<{ data: { id: string; name: string; books: number }[] }>('/authors');
    expect(authors.data.map(({ name, books }) => `${name} ${books}`)).toEqual([
      'Jane Austen 2',
      'Frank Herbert 1',
      'Ann Other 1',
    ]);
    expect(await place.get(`/authors/${authors.data[0]?.id}`)).toMatchObject({ name: 'Jane Austen', books: 2 });
    expect(await place.get('/authors?q=her')).toMatchObject({ data: [{ name: 'Frank Herbert' }] });
    expect(await place.get('/genres?q=cl')).toMatchObject({ data: [{ id: 'classic', books: 2 }] });
    expect(await place.get('/genres?q=x')).toMatchObject({ data: [] });
    expect(await place.get('/search?q=aus')).toMatchObject({ authors: [{ name: 'Jane Austen', books: 2 }] });
    expect(await place.get('/genres')).toMatchObject({ data: [{ id: 'classic', books: 2 }] });
  });
});

describe('changes', () => {
  it('need the version they were made for, are in the history, and can be taken back', async () => {
    const { id } = await named('Persuasion');
    const etag = (await place.ask(`/books/${id}`)).headers.get('etag') ?? '';
    const patch = (body: unknown, match?: string) =>
      place.ask(`/books/${id}`, { method: 'PATCH', body, headers: match === undefined ? {} : { 'if-match': match } });
    expect((await patch({ year: 1817 })).status).toBe(428);
    const changed = await patch({ year: 1817, tags: ['sea'] }, etag);
    expect(await changed.json()).toMatchObject({ year: 1817, tags: ['sea'], locks: ['tags', 'year'] });
    expect((await patch({ year: 1818 }, etag)).status).toBe(412);
    expect((await patch({ cover: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }, '*')).status).toBe(422);
    const history = await place.get<{ data: { id: string; field: string }[] }>(`/books/${id}/history?field=year`);
    const entry = history.data[0]?.id ?? '';
    const undone = await place.ask(`/books/${id}/history/${entry}/undo`, { method: 'POST' });
    expect(await undone.json()).toMatchObject({ year: null, tags: ['sea'] });
    expect((await place.ask(`/books/${id}/history/${entry}/undo`, { method: 'POST' })).status).toBe(409);
    expect(await (await patch({ locks: [] }, '*')).json()).toMatchObject({ locks: [] });
    expect(await (await place.ask(`/books/${id}`, { method: 'DELETE' })).json()).toMatchObject({ id });
    expect((await all('?state=deleted')).data.map((row) => row.id)).toEqual([id]);
    await place.ask(`/books/${id}/restore`, { method: 'POST' });
    expect((await all()).total).toBe(4);
  });
});

describe('rights', () => {
  it('hide a library with everything that is in it, and cost the others nothing', async () => {
    const diary = await named('Diary');
    const only = { libraries: [place.libraries['main']], edit: false, download: false };
    const set = await place.ask(`/rights/${place.users.bob}`, { method: 'PUT', body: only, as: 'owner' });
    expect(await set.json()).toMatchObject(only);
    const seen = await place.get<Rows>('/books', 'bob');
    expect([seen.data.length, seen.total]).toEqual([3, 3]);
    expect((await place.get<Rows>('/books?q=diary', 'bob')).data).toEqual([]);
    expect((await place.get<Rows>(`/books?library=${place.libraries['private']}`, 'bob')).data).toEqual([]);
    expect((await place.get<{ data: unknown[] }>('/authors', 'bob')).data).toHaveLength(2);
    expect((await place.get<{ data: unknown[] }>('/libraries', 'bob')).data).toHaveLength(1);
    expect(await place.get('/me', 'bob')).toEqual({
      can: { listen: true, edit: false, manage: false, download: false },
      libraries: [place.libraries['main']],
    });
    const addresses = ['', '/history', '/cover', `/segments/${diary.segments[0]?.id}/stream`];
    for (const address of addresses) {
      expect((await place.ask(`/books/${diary.id}${address}`, { as: 'bob' })).status).toBe(404);
    }
    const emma = await named('Emma');
    const edit = { method: 'PATCH', body: { year: 1 }, headers: { 'if-match': '*' }, as: 'bob' } as const;
    expect((await place.ask(`/books/${emma.id}`, edit)).status).toBe(403);
    expect((await place.ask(`/books/${diary.id}`, edit)).status).toBe(404);
    const file = `/books/${emma.id}/segments/${emma.segments[0]?.id}`;
    expect((await place.ask(`${file}/stream`, { as: 'bob' })).status).toBe(200);
    expect((await place.ask(`${file}/download`, { as: 'bob' })).status).toBe(404);
    expect((await place.ask(`${file}/download`)).headers.get('content-disposition')).toMatch(
      /^attachment; .*01\.mp3$/u,
    );
    expect((await place.ask(`/books/${emma.id}/segments/${diary.segments[0]?.id}/stream`)).status).toBe(404);
  });

  it('of libraries are for those who manage them; one that is taken off comes back whole', async () => {
    const root = place.roots['private'];
    expect((await place.ask('/libraries', { method: 'POST', body: { root: '/etc' } })).status).toBe(403);
    for (const wrong of [place.home, join(root ?? '', 'Ann Other'), join(place.home, 'data')]) {
      const refused = await place.ask('/libraries', { method: 'POST', body: { root: wrong }, as: 'owner' });
      expect(refused.status).toBe(409);
    }
    const address = `/libraries/${place.libraries['private']}`;
    expect((await place.ask(address, { method: 'DELETE', as: 'owner' })).status).toBe(204);
    expect((await all()).total).toBe(3);
    const back = await place.ask('/libraries', { method: 'POST', body: { root }, as: 'owner' });
    expect(await back.json()).toMatchObject({ id: place.libraries['private'], books: 1 });
    expect((await all()).total).toBe(4);
  });
});

describe('sound', () => {
  it('is sent whole, in ranges, and not again to who has it', async () => {
    const dune = await named('Dune');
    const [segment] = dune.segments;
    const address = below(segment?.url ?? '');
    const file = readFileSync(join(place.roots['main'] ?? '', 'Frank Herbert/Dune/Dune.m4b'));
    const whole = await place.ask(address);
    expect(whole.status).toBe(200);
    expect(whole.headers.get('content-type')).toBe('audio/mp4');
    expect(Buffer.from(await whole.arrayBuffer()).equals(file)).toBe(true);
    const part = await place.ask(address, { headers: { range: 'bytes=100-299' } });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes 100-299/${file.length}`);
    expect(Buffer.from(await part.arrayBuffer()).equals(file.subarray(100, 300))).toBe(true);
    const etag = whole.headers.get('etag') ?? '';
    expect((await place.ask(address, { headers: { 'if-none-match': etag } })).status).toBe(304);
    const stale = await place.ask(address, { headers: { range: 'bytes=0-9', 'if-range': '"other"' } });
    expect(stale.status).toBe(200);
    expect((await place.ask(address, { headers: { range: 'bytes=0-9,20-29' } })).status).toBe(200);
    expect((await place.ask(address, { headers: { range: 'bytes=5-2' } })).status).toBe(200);
    const beyond = await place.ask(address, { headers: { range: `bytes=${file.length}-` } });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${file.length}`]);
    const head = await place.ask(address, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(file.length)]);
  });
});

describe('covers', () => {
  it('come as WebP in the size that was asked for, and are kept', async () => {
    const { cover } = await named('Emma');
    const small = await place.ask(`${below(cover)}&size=96`);
    expect(small.headers.get('cache-control')).toContain('immutable');
    const bytes = Buffer.from(await small.arrayBuffer());
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 96 });
    const again = await place.ask(`${below(cover)}&size=96`, {
      headers: { 'if-none-match': small.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
    expect((await place.ask(`${below(cover)}&size=97`)).status).toBe(422);
  });

  it('are replaced by pictures alone, of which nothing else is taken, and can be taken back', async () => {
    const book = await named('Dune');
    const put = async (content: Uint8Array, type = 'image/png', as: 'ada' | 'vera' = 'ada') =>
      place.server.request(`http://localhost${BASE}/books/${book.id}/cover`, {
        method: 'PUT',
        body: content as Uint8Array<ArrayBuffer>,
        headers: { 'x-test-person': as, 'content-type': type, 'if-match': '*' },
      });
    const good = await sharp({ create: { width: 300, height: 300, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="http://127.0.0.1/x"/></svg>');
    const bomb = claiming(good, 30_000);
    for (const hostile of [svg, good.subarray(0, 120), bomb, Buffer.from('https://example.org/cover.png')]) {
      expect((await put(hostile)).status).toBe(400);
    }
    expect((await put(svg, 'image/svg+xml')).status).toBe(415);
    expect((await put(good, 'image/png', 'vera')).status).toBe(403);
    const changed = (await (await put(good)).json()) as Row;
    expect(changed.cover).not.toBe(book.cover);
    const shown = await place.ask(`${below(changed.cover)}&size=256`);
    expect(await sharp(Buffer.from(await shown.arrayBuffer())).metadata()).toMatchObject({ width: 256, height: 256 });
    const history = await place.get<{ data: { id: string }[] }>(`/books/${book.id}/history?field=cover`);
    await place.ask(`/books/${book.id}/history/${history.data[0]?.id}/undo`, { method: 'POST' });
    expect((await named('Dune')).cover).toBe(book.cover);
  });

  it('that cannot be shown are as good as not there', async () => {
    const { id, cover } = await named('Persuasion');
    writeFileSync(join(place.roots['main'] ?? '', 'Jane Austen/Persuasion/cover.png'), '<svg onload="alert(1)"/>');
    expect((await place.ask(`${below(cover)}&size=512`)).status).toBe(404);
    rmSync(join(place.roots['main'] ?? '', 'Jane Austen/Persuasion/cover.png'));
    symlinkSync('/etc/hostname', join(place.roots['main'] ?? '', 'Jane Austen/Persuasion/cover.png'));
    expect((await place.ask(`/books/${id}/cover`)).status).toBe(404);
  });
});

describe('everything', () => {
  it('is exported as lines and taken in again without a change', async () => {
    expect((await place.ask('/export')).status).toBe(403);
    const lines = await (await place.ask('/export', { as: 'owner' })).text();
    expect(lines.split('\n')[0]).toContain('holdfast-audiobooks');
    const take = async (body: string): Promise<Response> =>
      place.server.request(`http://localhost${BASE}/import`, {
        method: 'POST',
        body,
        headers: { 'x-test-person': 'owner', 'content-type': 'application/x-ndjson' },
      });
    const taken = (await (await take(lines)).json()) as { records: number; unchanged: number };
    expect(taken.records).toBeGreaterThan(20);
    expect(taken.unchanged).toBe(taken.records);
    expect((await take('{"format":"other"}\n')).status).toBe(400);
  });
});
