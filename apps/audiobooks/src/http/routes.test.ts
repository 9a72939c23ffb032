import { readFileSync } from 'node:fs';
import { join } from 'node:path';

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
}, 60_000);
afterAll(() => place.close());

const all = async (query = ''): Promise<Rows> => place.get<Rows>(`/books${query}`);
const named = async (title: string): Promise<Row> => {
  const found = (await all()).data.find((row) => row.title === title);
  return place.get<Row>(`/books/${found?.id ?? title}`);
};
/** An address of an answer, as `ask` takes it. */
const below = (address: string | null): string => (address ?? '').slice(BASE.length);

describe('books', () => {
  it('are listed by title and shown with files and chapters', async () => {
    expect((await all()).data.map(({ title }) => title)).toEqual(['Diary', 'Dune', 'Emma', 'Persuasion']);
    const emma = await named('Emma');
    expect(emma.segments).toHaveLength(2);
    expect((await named('Dune')).chapters).toHaveLength(4);
    expect((await place.ask('/books/01ARZ3NDEKTSV4RRFFQ69G5FAV')).status).toBe(404);
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
});
