import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  audnexusBook,
  audnexusChapters,
  jsonAnswer,
  openLibraryAnswer,
  provideLocally,
  type ProviderServer,
} from '../../../test/provider-server.ts';
import { type Served, serve } from '../../../test/served.ts';
import { writeProviderCommand } from '../../adapters/provider-command.ts';

interface Match {
  readonly id: string;
  readonly confidence: number;
  readonly changes: readonly { readonly field: string; readonly before: unknown; readonly after: unknown }[];
}
interface Detail {
  readonly id: string;
  readonly year: number | null;
  readonly genres: readonly string[];
  readonly cover: string | null;
  readonly locks: readonly string[];
  readonly provenance: Readonly<Record<string, string>>;
}

let place: Served;
let provider: ProviderServer;
let isBusy = false;

beforeAll(async () => {
  const picture = await sharp({ create: { width: 900, height: 900, channels: 3, background: '#804020' } })
    .jpeg()
    .toBuffer();
  const image = (_request: unknown, response: ServerResponse) => void response.writeHead(200).end(picture);
  const covers = '/b/id/258027-L.jpg';
  provider = await provideLocally(
    new Map([
      [
        'openlibrary.org/search.json',
        (request, response) => {
          if (isBusy) response.writeHead(429, { 'retry-after': '30' }).end();
          else jsonAnswer(openLibraryAnswer)(request, response);
        },
      ],
      // Open Library redirects covers to the Internet Archive.
      [
        `covers.openlibrary.org${covers}`,
        (_request, response) =>
          void response.writeHead(302, { location: `https://ia800.us.archive.org${covers}` }).end(),
      ],
      [`ia800.us.archive.org${covers}`, image],
      ['api.audnex.us/books/B08G9PRS1K', jsonAnswer(audnexusBook)],
      ['api.audnex.us/books/B08G9PRS1K/chapters', jsonAnswer(audnexusChapters)],
      ['m.media-amazon.com/images/I/91vS2L5YfEL.jpg', image],
    ]),
  );
  place = await serve(
    {
      main: { 'Jane Austen/Emma/01.mp3': { album: 'Emma', artist: 'Jane Austen', genre: 'Classic' } },
      hidden: { 'Ann Other/Diary/01.mp3': { album: 'Diary', artist: 'Ann Other' } },
    },
    [],
    Date.now,
    { network: provider.network },
  );
});
afterAll(async () => {
  await place.close();
  await provider.close();
});

const emma = async (): Promise<Detail> => {
  const { data } = await place.get<{ data: readonly { id: string; title: string }[] }>('/books');
  return place.get<Detail>(`/books/${data.find(({ title }) => title === 'Emma')?.id ?? ''}`);
};
const post = (path: string, body: unknown, headers = {}) => place.ask(path, { method: 'POST', body, headers });
const search = async (body: object = {}) => post(`/books/${(await emma()).id}/matches`, body);
const found = async (body: object = {}) =>
  (await (await search(body)).json()) as { matches: readonly Match[]; problems: readonly { message: string }[] };
const enable = (name: string, method = 'PUT') => place.ask(`/providers/${name}`, { method, as: 'owner' });
async function apply(body: object): Promise<Response> {
  const { id } = await emma();
  const etag = (await place.ask(`/books/${id}`)).headers.get('etag') ?? '';
  return post(`/books/${id}/matches/apply`, body, { 'if-match': etag });
}
const codeOf = async (response: Response): Promise<unknown> => ((await response.json()) as { code: string }).code;
const undo = async (id: string): Promise<void> => {
  const response = await place.ask(`/operations/${id}/undo`, { method: 'POST', body: {}, as: 'owner' });
  expect(response.status).toBe(202);
};

describe('providers', () => {
  it('are disabled until an administrator enables them; nothing is sent before', async () => {
    expect(await codeOf(await search())).toBe('PROVIDER_DISABLED');
    expect((await place.ask('/providers/open-library', { method: 'PUT', as: 'ada' })).status).toBe(403);
    const picture = new URLSearchParams({
      provider: 'open-library',
      url: 'https://covers.openlibrary.org/b/id/1-L.jpg',
    });
    expect(await codeOf(await place.ask(`/matches/cover?${picture.toString()}`))).toBe('PROVIDER_DISABLED');
    expect(provider.asked).toEqual([]);
    expect(await codeOf(await enable('command'))).toBe('PROVIDER_DISABLED');
    expect((await enable('open-library')).status).toBe(200);
  });

  it('receive title and author, are asked once for the same question, and only by editors', async () => {
    const { matches } = await found();
    expect(matches.map(({ id, confidence }) => [id, confidence > 60])).toEqual([
      ['open-library:OL66513W', true],
      ['open-library:OL1W', false],
    ]);
    await found();
    expect(provider.asked).toHaveLength(1);
    expect(new URL(`https://${provider.asked[0]}`).searchParams.get('title')).toBe('Emma');
    const { id } = await emma();
    expect((await place.ask(`/books/${id}/matches`, { method: 'POST', body: {}, as: 'vera' })).status).toBe(403);
  });
});

describe('a match', () => {
  it('shows what would change, with both covers', async () => {
    const before = await emma();
    const [match] = (await found()).matches;
    expect(match?.changes).toEqual([
      { field: 'year', before: null, after: 1815 },
      { field: 'genres', before: ['Classic'], after: ['England', 'Young women', 'Fiction'] },
      {
        field: 'cover',
        before: before.cover,
        after: expect.stringContaining('/api/audiobooks/matches/cover?') as string,
      },
    ]);
    const preview = await place.ask(String(match?.changes[2]?.after).replace('/api/audiobooks', ''));
    expect((await sharp(Buffer.from(await preview.arrayBuffer())).metadata()).width).toBe(512);
  });

  it('changes only the chosen fields, locks them, and is undone as a whole', async () => {
    const before = await emma();
    const response = await apply({ match: 'open-library:OL66513W', fields: ['year', 'cover'] });
    const { operation_id: id } = (await response.json()) as { operation_id: string };
    const after = await emma();
    expect(after).toMatchObject({
      year: 1815,
      genres: ['Classic'],
      provenance: { year: 'provider', cover: 'provider' },
    });
    expect(after.locks).toEqual(['cover', 'year']);
    expect(after.cover).not.toBe(before.cover);
    expect((await place.ask((after.cover ?? '').replace('/api/audiobooks', ''))).status).toBe(200);
    await undo(id);
    expect(await emma()).toMatchObject({ year: null, cover: before.cover, locks: [] });
  });

  it('is refused if it does not exist, if the book has changed, or if the user may not see the book', async () => {
    expect(await codeOf(await apply({ match: 'open-library:OL9W' }))).toBe('MATCH_NOT_FOUND');
    expect(await codeOf(await apply({ match: 'audnexus:B08G9PRS1K' }))).toBe('MATCH_NOT_FOUND');
    const { id } = await emma();
    const covers = (): number => readdirSync(join(place.roots['main'] ?? '', '.holdfast/covers')).length;
    const kept = covers();
    const stale = await post(`/books/${id}/matches/apply`, { match: 'open-library:OL66513W' }, { 'if-match': '"1"' });
    expect(stale.status).toBe(412);
    expect(covers()).toBe(kept);
  });

  it('never makes the server ask a host that is not a provider', async () => {
    const asked = provider.asked.length;
    for (const url of [
      'https://127.0.0.1/',
      'https://evil.example/x.jpg',
      'http://covers.openlibrary.org/b/id/1-L.jpg',
    ]) {
      const response = await place.ask(
        `/matches/cover?${new URLSearchParams({ provider: 'open-library', url }).toString()}`,
      );
      expect([response.status, await codeOf(response)]).toEqual([502, 'PROVIDER_INVALID']);
    }
    expect(provider.asked.length).toBe(asked);
  });

  it('of Audnexus is found by its ASIN and knows the chapters', async () => {
    await enable('audnexus');
    const [match] = (await found({ asin: 'B08G9PRS1K' })).matches;
    expect(match).toMatchObject({ id: 'audnexus:B08G9PRS1K', confidence: 100 });
    const { id } = await emma();
    const chapters = await post(`/books/${id}/chapters/find`, { asin: 'B08G9PRS1K', region: 'de' });
    expect(await chapters.json()).toMatchObject({
      provider: 'audnexus',
      data: [{ title: 'Opening Credits', start_ms: 0 }],
    });
    expect(provider.asked.at(-1)).toBe('api.audnex.us/books/B08G9PRS1K/chapters?region=de');
    expect(await codeOf(await post(`/books/${id}/chapters/find`, {}))).toBe('MATCH_NOT_FOUND');
    await enable('audnexus', 'DELETE');
  });
});

describe('a provider that fails', () => {
  it('does not hide the matches of others, and is left alone as long as it asks for', async () => {
    isBusy = true;
    const first = await found({ title: 'Another' });
    expect(first).toMatchObject({ matches: [], problems: [{ message: 'openlibrary.org answered with status 429.' }] });
    const asked = provider.asked.length;
    expect((await found({ title: 'A third' })).problems).toHaveLength(1);
    expect(provider.asked.length).toBe(asked);
    isBusy = false;
  });
});

describe('a command', () => {
  const program = (): string => join(place.home, 'find-book');
  function choose(script: string, ...args: readonly string[]): void {
    writeFileSync(program(), `#!${process.execPath}\n${script}`);
    chmodSync(program(), 0o755);
    writeProviderCommand(place.app.home, { command: [program(), ...args], hosts: [] });
  }

  it('receives the query on its standard input and prints books', async () => {
    await enable('open-library', 'DELETE');
    choose(
      `
      const query = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
      const secrets = Object.keys(process.env).filter((name) => name.startsWith('HOLDFAST'));
      console.log(JSON.stringify({ books: [
        { id: 'one', title: query.title, author: query.authors[0], publisher: process.argv[2], tags: secrets },
      ] }));
    `,
      '; touch /tmp/never $(id)',
    );
    process.env['HOLDFAST_SECRET'] = 'x';
    await enable('command');
    const { matches } = await found();
    delete process.env['HOLDFAST_SECRET'];
    expect(matches).toMatchObject([
      { id: 'command:one', changes: [{ field: 'publisher', after: '; touch /tmp/never $(id)' }] },
    ]);
    expect(existsSync('/tmp/never')).toBe(false);
  });

  it.each([
    ['ends with an error', 'process.exit(3)', 'ended with 3'],
    ['prints something else', 'console.log("{}")', 'cannot read the response'],
    [
      'prints too much',
      'process.stdout.write("x".repeat(5_000_000)); setInterval(() => {}, 1000)',
      'printed more than',
    ],
  ])('that %s is reported', async (_name, script, message) => {
    choose(script);
    expect((await found({ title: script })).problems[0]?.message).toContain(message);
  });

  it('cannot be chosen over HTTP or by an import', async () => {
    const line = JSON.stringify({ key: 'meta:providers', value: { enabled: ['command'], command: ['/bin/sh'] } });
    const headers = { 'content-type': 'application/x-ndjson', 'x-test-person': 'owner' };
    await place.server.request('http://localhost/api/audiobooks/import', { method: 'POST', body: line, headers });
    const { data } = await place.get<{ data: readonly { name: string; hosts: readonly string[] }[] }>('/providers');
    expect(data.find(({ name }) => name === 'command')).toMatchObject({ hosts: [] });
    writeProviderCommand(place.app.home, { command: [], hosts: [] });
    const left = await place.get<{ data: readonly { name: string }[] }>('/providers');
    expect(left.data.map(({ name }) => name)).toEqual(['open-library', 'audnexus']);
  });
});
