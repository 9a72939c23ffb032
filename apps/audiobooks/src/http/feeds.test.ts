import { afterAll, beforeAll, expect, it } from 'vitest';

import { type Served, serve } from '../../test/served.ts';
import { readXml, type XmlElement } from '../model/sidecar.ts';

let place: Served;
const log: string[] = [];

beforeAll(async () => {
  const hostile = 'Emma & <Knightley> "quoted"';
  place = await serve(
    {
      main: {
        'Jane Austen/Emma/01.mp3': { album: hostile, artist: 'Jane Austen' },
        'Jane Austen/Emma/02.mp3': { album: hostile, artist: 'Jane Austen' },
        'Frank Herbert/Dune/Dune.m4b': { album: 'Dune', artist: 'Frank Herbert' },
      },
      private: { 'Ann Other/Diary/01.mp3': { album: 'Diary', artist: 'Ann Other' } },
    },
    log,
  );
});
afterAll(() => place.close());

interface Made {
  readonly id: string;
  readonly url: string;
}

const post = async (body: unknown, as: 'ada' | 'bob' = 'ada'): Promise<Made> => {
  const response = await place.ask('/feeds', { method: 'POST', body, as });
  expect(response.status).toBe(201);
  return (await response.json()) as Made;
};
/** Sends no credentials, like a podcast program. */
const open = (url: string, headers: Record<string, string> = {}) =>
  place.ask(url.slice('http://localhost/api/audiobooks'.length), { as: undefined, headers });
const bookId = async (title: string): Promise<string> => {
  const { data } = await place.get<{ data: { id: string; title: string }[] }>('/books');
  return data.find((book) => book.title.startsWith(title))?.id ?? title;
};
const named = (elements: readonly XmlElement[], name: string): readonly XmlElement[] =>
  elements.filter((element) => element.name === name);
const elementsAt = async (url: string): Promise<readonly XmlElement[]> => {
  const response = await open(url);
  expect([url, response.status]).toEqual([url, 200]);
  return readXml(await response.text());
};

it('a book is a podcast behind a link that shows this book alone, and nothing after it was revoked', async () => {
  const emma = await bookId('Emma');
  const { id, url } = await post({ kind: 'book', book: emma });
  const response = await open(url);
  expect(response.headers.get('content-type')).toContain('application/rss+xml');
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  const document = await response.text();
  const elements = readXml(document);
  const title = 'Emma & <Knightley> "quoted"';
  expect(named(elements, 'title').map(({ text }) => text)).toEqual([title, `${title}, part 1`, `${title}, part 2`]);
  expect(named(elements, 'language').map(({ text }) => text)).toEqual(['und']);
  expect(named(elements, 'category').map(({ attributes }) => attributes['text'])).toEqual(['Books', 'Arts']);
  const enclosures = named(elements, 'enclosure').map(({ attributes }) => attributes);
  expect(enclosures).toHaveLength(2);
  for (const { url: address = '', length, type } of enclosures) {
    const sound = await open(address);
    expect([sound.headers.get('content-length'), sound.headers.get('content-type')]).toEqual([length, type]);
    expect((await open(address, { range: 'bytes=0-0' })).status).toBe(206);
  }
  const cover = await open(named(elements, 'image')[0]?.attributes['href'] ?? '');
  expect(cover.headers.get('content-type')).toBe('image/jpeg');
  // The feed must not reveal paths, listeners or other books. The random part of the address is removed first, because
  // it could contain any of these words.
  const told = document.replaceAll(url.split('/').at(-2) ?? '', '').replaceAll(/audio\/\w+\.mp3/gu, '');
  for (const secret of [place.home, 'Jane Austen/Emma', '.mp3"', 'ada', 'Dune', 'Diary', place.users.ada]) {
    expect(told).not.toContain(secret);
  }
  const dune = await place.get<{ segments: { id: string }[] }>(`/books/${await bookId('Dune')}`);
  const base = url.slice(0, -'/rss.xml'.length);
  const elsewhere = [
    `${base}/audio/${dune.segments[0]?.id}.m4b`,
    `${base}/audio/..%2f..%2fDune.m4b`,
    base.replace('/feed/', '/opds/'),
    `${base.replace('/feed/', '/opds/')}/books`,
    url.replace(/.(\/rss\.xml)$/u, '$1'),
  ];
  for (const address of elsewhere) expect([address, (await open(address)).status]).toEqual([address, 404]);
  expect((await place.ask(`/feeds/${id}`, { method: 'DELETE', as: 'bob' })).status).toBe(404);
  expect(await place.get('/feeds', 'bob')).toMatchObject({ data: [] });
  expect((await place.ask(`/feeds/${id}`, { method: 'DELETE' })).status).toBe(204);
  for (const address of [url, `${base}/cover.jpg`, enclosures[0]?.['url'] ?? '']) {
    expect((await open(address)).status).toBe(404);
  }
});

it('a library is an OPDS catalogue: by author, by series, recent, searched, page by page, with sound', async () => {
  const { url } = await post({ kind: 'opds' });
  const links = named(await elementsAt(url), 'link').map(({ attributes }) => attributes);
  const linked = links.map(({ href = '' }) => href.slice(url.length)).sort();
  expect(linked).toEqual(['', '', '/authors', '/books', '/recent', '/search.xml', '/series']);
  const authors = await elementsAt(`${url}/authors`);
  expect(named(authors, 'title').map(({ text }) => text)).toEqual([
    'Authors',
    'Jane Austen',
    'Frank Herbert',
    'Ann Other',
  ]);
  const austen = named(authors, 'link').find(({ attributes }) => attributes['rel'] === 'subsection');
  const books = await elementsAt(austen?.attributes['href'] ?? '');
  const files = named(books, 'link').filter(
    ({ attributes }) => attributes['rel'] === 'http://opds-spec.org/acquisition',
  );
  expect(files.map(({ attributes }) => attributes['title'])).toEqual(['Part 1 of 2', 'Part 2 of 2']);
  expect((await open(files[0]?.attributes['href'] ?? '')).headers.get('content-type')).toBe('audio/mpeg');
  const thumbnail = named(books, 'link').find(({ attributes }) => attributes['rel']?.endsWith('thumbnail') === true);
  expect((await open(thumbnail?.attributes['href'] ?? '')).headers.get('content-type')).toBe('image/jpeg');
  const template = named(await elementsAt(`${url}/search.xml`), 'url')[0]?.attributes['template'] ?? '';
  const found = await elementsAt(template.replace('{searchTerms}', 'dune'));
  expect(named(found, 'title').map(({ text }) => text)).toEqual(['Found', 'Dune']);
  const first = await elementsAt(`${url}/books?limit=1`);
  const next = named(first, 'link').find(({ attributes }) => attributes['rel'] === 'next');
  expect(named(await elementsAt(next?.attributes['href'] ?? ''), 'title')[1]?.text).toBe('Dune');
});

it('a link shows what its owner may see at this moment, and nothing when they may not listen any more', async () => {
  const { url } = await post({ kind: 'opds' }, 'bob');
  const titles = async (): Promise<number> => named(await elementsAt(`${url}/books`), 'entry').length;
  expect(await titles()).toBe(3);
  const rights = (body: unknown) => place.ask(`/rights/${place.users.bob}`, { method: 'PUT', body, as: 'owner' });
  await rights({ libraries: [place.libraries['main']], edit: true, download: true });
  expect(await titles()).toBe(2);
  const diary = await bookId('Diary');
  const { segments } = await place.get<{ segments: { id: string }[] }>(`/books/${diary}`);
  for (const address of ['cover.jpg', 'thumbnail.jpg', `audio/${segments[0]?.id}.mp3`]) {
    expect((await open(`${url}/books/${diary}/${address}`)).status).toBe(404);
  }
  expect((await place.ask('/feeds', { method: 'POST', body: { kind: 'book', book: diary }, as: 'bob' })).status).toBe(
    404,
  );
  await rights({ libraries: 'all', edit: true, download: false });
  expect((await open(url)).status).toBe(404);
  await rights({ libraries: 'all', edit: true, download: true });
  expect(await titles()).toBe(3);
  await place.accounts.setStatus({ userId: place.users.bob, status: 'disabled' });
  expect((await open(url)).status).toBe(404);
});

it('secrets are kept as hashes, told once, and in no log', async () => {
  const { url } = await post({ kind: 'opds' });
  const secret = /hff_[\w-]{43}/u.exec(url)?.[0] ?? '';
  expect(secret).toHaveLength(47);
  await open(`${url}/nothing/here`);
  await open(`${url}/books?cursor=broken`);
  await open(`${url}/books?limit=0`);
  expect(await (await place.ask('/feeds')).text()).not.toContain(secret.slice(4));
  const stored = await place.app.store.engine.range({
    gte: '',
    lt: '\u{10ffff}',
    limit: 100_000,
    reverse: false,
  });
  expect(JSON.stringify(stored)).not.toContain(secret.slice(4));
  expect(log.length).toBeGreaterThan(20);
  expect(log.join()).not.toContain('hff_');
});
