import { afterAll, beforeAll, expect, it } from 'vitest';

import { type Person, type Served, serve } from '../../test/served.ts';

/**
 * Who may use which route on whose things. Written by hand, on purpose: a route that is not here fails the test, whatever
 * the code says about it.
 *
 * Every route is asked about things of a library that Bob may not see, and that belong to Ada.
 */
interface Rule {
  readonly needs: 'link' | 'read' | 'write' | 'admin';
  /** Of a library: whoever does not see it gets 404. Own: everybody but the owner does. */
  readonly about?: 'library' | 'own';
  readonly body?: unknown;
  readonly type?: string;
}

const read = { needs: 'read' } as const;
const ofLibrary = { needs: 'read', about: 'library' } as const;
const own = { needs: 'read', about: 'own' } as const;
const change = { needs: 'write', about: 'library' } as const;
const manage = { needs: 'admin' } as const;
const link = { needs: 'link' } as const;

const rules = (things: Things): Readonly<Record<string, Rule>> => ({
  'GET /me': read,
  'GET /libraries': read,
  'POST /libraries': { ...manage, body: { root: '/' } },
  'PATCH /libraries/{id}': { ...manage, body: { name: 'private' } },
  'DELETE /libraries/{id}': manage,
  'GET /books': read,
  'GET /books/{id}': ofLibrary,
  'PATCH /books/{id}': { ...change, body: { tags: ['x'] } },
  'DELETE /books/{id}': change,
  'POST /books/{id}/restore': change,
  'GET /books/{id}/history': ofLibrary,
  'POST /books/{id}/history/{entry}/undo': change,
  'GET /books/{id}/cover': ofLibrary,
  'PUT /books/{id}/cover': { ...change, type: 'image/png' },
  'GET /books/{id}/segments/{segment}/stream': ofLibrary,
  'GET /books/{id}/segments/{segment}/download': ofLibrary,
  'GET /books/{id}/bookmarks': ofLibrary,
  'POST /books/{id}/bookmarks': { ...ofLibrary, body: { position_ms: 1, note: '' } },
  'GET /authors': read,
  'GET /authors/{id}': ofLibrary,
  'PATCH /authors/{id}': { ...change, body: {} },
  'POST /authors/{id}/merge': { ...change, body: { others: [things.author] } },
  'GET /series': read,
  'GET /series/{id}': ofLibrary,
  'POST /series/{id}/merge': { ...change, body: { others: [things.series] } },
  'GET /narrators': read,
  'GET /genres': read,
  'GET /tags': read,
  'GET /search': read,
  'GET /rights': manage,
  'GET /rights/{user_id}': manage,
  'PUT /rights/{user_id}': { ...manage, body: { libraries: 'all', edit: true, download: true } },
  'GET /operations': manage,
  'GET /operations/{id}': manage,
  'GET /operations/{id}/log': manage,
  'POST /operations/{id}/cancel': manage,
  'POST /operations/{id}/undo': manage,
  'POST /operations/scan': { ...manage, body: { library_id: things.library } },
  'POST /organise/preview': { ...manage, body: { library_id: things.library } },
  'POST /operations/organise': { ...manage, body: { library_id: things.library, template: '{' } },
  'POST /merge/preview': { ...manage, body: { book_id: things.book } },
  'POST /operations/merge': { ...manage, body: { book_id: things.book, bitrate_kbps: 1 } },
  'POST /operations/transcode': { ...manage, body: { book_id: things.book, format: 'none' } },
  'POST /operations/tag': { ...manage, body: { book_id: things.book } },
  'GET /duplicates': manage,
  'POST /duplicates/merge': { ...manage, body: { keep: things.book, drop: things.book } },
  'GET /events': read,
  'GET /feeds': read,
  'POST /feeds': { ...ofLibrary, body: { kind: 'book', book_id: things.book } },
  'DELETE /feeds/{id}': own,
  'GET /feed/{secret}/rss.xml': link,
  'GET /feed/{secret}/cover.jpg': link,
  'GET /feed/{secret}/sound/{file}': link,
  'GET /opds/{secret}': link,
  'GET /opds/{secret}/search.xml': link,
  'GET /opds/{secret}/authors': link,
  'GET /opds/{secret}/authors/{id}': link,
  'GET /opds/{secret}/series': link,
  'GET /opds/{secret}/series/{id}': link,
  'GET /opds/{secret}/recent': link,
  'GET /opds/{secret}/books': link,
  'GET /opds/{secret}/search': link,
  'GET /opds/{secret}/books/{id}/cover.jpg': link,
  'GET /opds/{secret}/books/{id}/thumbnail.jpg': link,
  'GET /opds/{secret}/books/{id}/sound/{file}': link,
  'GET /export': manage,
  'POST /import': { ...manage, type: 'application/x-ndjson' },
  'POST /playback': { ...read, body: { events: [] } },
  'POST /playback/prune': { ...manage, body: { keep_days: 1_000, keep_events: 1_000_000 } },
  'GET /preferences': read,
  'PUT /preferences': { ...read, body: {} },
  'GET /progress': read,
  'GET /progress/{book}': ofLibrary,
  'PUT /progress/{book}': { ...ofLibrary, body: { position_ms: 1 } },
  'DELETE /progress/{book}': ofLibrary,
  'GET /progress/{book}/jumps': ofLibrary,
  'PATCH /bookmarks/{id}': { ...own, body: { note: 'x' } },
  'DELETE /bookmarks/{id}': own,
  'GET /playlists': read,
  'POST /playlists': { ...read, body: { name: 'mine' } },
  'POST /playlists/preview': { ...read, body: { query: { all: [], sort: 'title', limit: 10 } } },
  'GET /playlists/{id}': own,
  'PATCH /playlists/{id}': { ...own, body: { name: 'x' } },
  'DELETE /playlists/{id}': own,
  'POST /playlists/{id}/items': { ...own, body: { book_id: things.book } },
  'PUT /playlists/{id}/items/{position}/move': { ...own, body: { to: Number(things.position) } },
  'DELETE /playlists/{id}/items/{position}': own,
  'GET /shelves': read,
  'GET /stats': read,
  'GET /stats/year/{year}': read,
  'POST /stats/rebuild': manage,
});

interface Things {
  readonly library: string;
  readonly book: string;
  readonly segment: string;
  readonly author: string;
  readonly series: string;
  readonly entry: string;
  readonly operation: string;
  readonly feed: string;
  readonly playlist: string;
  readonly position: string;
  readonly bookmark: string;
}

const PREFIX = '/api/audiobooks';
const levels = { read: 0, write: 1, admin: 2 } as const;
const PEOPLE = { vera: 'read', bob: 'write', owner: 'admin', ada: 'write' } as const;

let place: Served;
let things: Things;

beforeAll(async () => {
  place = await serve({
    main: { 'Jane Austen/Emma/01.mp3': { album: 'Emma', artist: 'Jane Austen' } },
    private: { 'Ann Other/Diary/01.mp3': { album: 'Diary', artist: 'Ann Other', series: 'Secrets', seriesPart: '1' } },
  });
  things = await makeThings(place);
});
afterAll(() => place.close());

async function makeThings(served: Served): Promise<Things> {
  const { libraries, users } = served;
  const made = async (path: string, body: unknown): Promise<{ id: string; position: number }> =>
    (await (await served.ask(path, { method: 'POST', body })).json()) as { id: string; position: number };
  const library = libraries['private'] ?? '';
  const { data } = await served.get<{ data: { id: string }[] }>(`/books?library=${library}`);
  const book = data[0]?.id ?? '';
  const shown = await served.get<{ segments: { id: string }[]; authors: { id: string }[]; series: { id: string }[] }>(
    `/books/${book}`,
  );
  await served.ask(`/books/${book}`, { method: 'PATCH', body: { year: 1900 }, headers: { 'if-match': '*' } });
  await served.ask(`/progress/${book}`, { method: 'PUT', body: { position_ms: 1 } });
  const history = await served.get<{ data: { id: string }[] }>(`/books/${book}/history`);
  const operations = await served.get<{ data: { id: string }[] }>('/operations?type=scan', 'owner');
  const playlist = await made('/playlists', { name: 'private' });
  const item = await made(`/playlists/${playlist.id}/items`, { book_id: book });
  const rights = { libraries: [libraries['main']], edit: true, download: true };
  await served.ask(`/rights/${users.bob}`, { method: 'PUT', body: rights, as: 'owner' });
  return {
    library,
    book,
    segment: shown.segments[0]?.id ?? '',
    author: shown.authors[0]?.id ?? '',
    series: shown.series[0]?.id ?? '',
    entry: history.data[0]?.id ?? '',
    operation: operations.data[0]?.id ?? '',
    feed: (await made('/feeds', { kind: 'book', book_id: book })).id,
    playlist: playlist.id,
    position: String(item.position),
    bookmark: (await made(`/books/${book}/bookmarks`, { position_ms: 1, note: '' })).id,
  };
}

/** The address with the ids of what the route is about. */
function addressOf(path: string): string {
  const about = path.split('/')[1] ?? '';
  const ids: Readonly<Record<string, string>> = {
    books: things.book,
    libraries: things.library,
    authors: things.author,
    series: things.series,
    operations: things.operation,
    feeds: things.feed,
    playlists: things.playlist,
    bookmarks: things.bookmark,
    opds: things.book,
  };
  const filled: Readonly<Record<string, string>> = {
    id: ids[about] ?? '',
    book: things.book,
    segment: things.segment,
    entry: things.entry,
    position: things.position,
    user_id: place.users.vera,
    secret: `hff_${'x'.repeat(43)}`,
    file: `${things.segment}.mp3`,
    year: '2026',
  };
  const address = path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => filled[name] ?? name);
  return path === '/search' || path.endsWith('/search') ? `${address}?q=diary` : address;
}

type Outcome = 401 | 403 | 404 | 'passes';

function expected({ needs, about }: Rule, person: Person | undefined): Outcome {
  if (needs === 'link') return 404;
  if (person === undefined) return 401;
  if (levels[PEOPLE[person]] < levels[needs]) return 403;
  if (about === 'own' && person !== 'ada') return 404;
  return about === 'library' && person === 'bob' ? 404 : 'passes';
}

async function outcome(
  method: string,
  path: string,
  rule: Rule,
  person: Person | undefined,
): Promise<number | 'passes'> {
  const headers = {
    ...(person === undefined ? {} : { 'x-test-person': person }),
    ...(method === 'GET' ? {} : { 'content-type': rule.type ?? 'application/json', 'if-match': '*' }),
  };
  const hasBody = rule.body !== undefined || rule.type !== undefined;
  const response = await place.server.request(`http://localhost${PREFIX}${addressOf(path)}`, {
    method,
    headers,
    ...(hasBody ? { body: rule.body === undefined ? 'x' : JSON.stringify(rule.body) } : {}),
  });
  await response.body?.cancel();
  const { status } = response;
  return status === 401 || status === 403 || status === 404 ? status : status < 500 ? 'passes' : status;
}

/** What takes things away comes last, and what takes most of them away at the very end. */
function lateness(route: string): number {
  if (!route.startsWith('DELETE')) return 0;
  if (route.startsWith('DELETE /libraries')) return 4;
  if (route.startsWith('DELETE /books')) return 3;
  return route.includes('/items/') ? 1 : 2;
}

it('every route answers everybody as the table says, and the table has every route', async () => {
  const table = rules(things);
  const routes = place.server.routes.filter(({ app }) => app === 'audiobooks');
  const names = routes.map(({ method, path }) => `${method} ${path.slice(PREFIX.length)}`);
  expect([...names].sort()).toEqual(Object.keys(table).sort());
  const declared = {
    link: 'public',
    read: 'app:audiobooks:read',
    write: 'app:audiobooks:write',
    admin: 'app:audiobooks:admin',
  };
  const wrong: string[] = [];
  for (const name of names.sort((left, right) => lateness(left) - lateness(right))) {
    const [method = '', path = ''] = name.split(' ');
    const rule = table[name] ?? read;
    const entry = routes.find((route) => route.method === method && route.path === `${PREFIX}${path}`);
    if (entry?.permission !== declared[rule.needs]) wrong.push(`${name} declares ${entry?.permission}`);
    for (const person of [undefined, 'bob', 'vera', 'owner', 'ada'] as const) {
      const actual = await outcome(method, path, rule, person);
      const wanted = expected(rule, person);
      if (actual !== wanted) wrong.push(`${person ?? 'nobody'} ${name}: ${actual}, not ${wanted}`);
    }
    if (name === 'GET /stats/year/{year}') await noneIsToldOfHidden(names);
  }
  expect(wrong).toEqual([]);
});

/** Lists say nothing about what somebody may not see, however it is asked for. */
async function noneIsToldOfHidden(names: readonly string[]): Promise<void> {
  const lists = names.filter((name) => name.startsWith('GET /') && !name.includes('{') && name !== 'GET /events');
  for (const name of lists) {
    const response = await place.ask(addressOf(name.slice(4)), { as: 'bob' });
    const told = await response.text();
    const hidden = [
      things.library,
      things.book,
      things.segment,
      things.author,
      things.series,
      'Diary',
      'Ann Other',
      'Secrets',
    ];
    expect([name, hidden.filter((secret) => told.includes(secret))]).toEqual([name, []]);
  }
}

it('a request about many things is refused for each that its sender may not see', async () => {
  const report = {
    event_id: 'e1',
    book_id: things.book,
    event_type: 'progress',
    position_ms: 1,
    occurred_at: new Date().toISOString(),
    play_speed: 1,
    device_id: 'phone',
  };
  const answer = await place.ask('/playback', { method: 'POST', body: { events: [report] }, as: 'bob' });
  expect(await answer.json()).toMatchObject({ accepted: 0, refused: [{ code: 'BOOK_NOT_FOUND' }] });
  const list = await place.ask('/playlists', { method: 'POST', body: { name: 'mine' }, as: 'bob' });
  const { id } = (await list.json()) as { id: string };
  const add = { method: 'POST', body: { book_id: things.book }, as: 'bob' } as const;
  expect((await place.ask(`/playlists/${id}/items`, add)).status).toBe(404);
  expect((await place.ask(`/playlists?book=${things.book}`, { as: 'bob' })).status).toBe(404);
  const { data } = await place.get<{ data: { id: string; authors: { id: string }[] }[] }>('/books', 'bob');
  const merge = { method: 'POST', body: { others: [things.author] }, as: 'bob' } as const;
  expect((await place.ask(`/authors/${data[0]?.authors[0]?.id}/merge`, merge)).status).toBe(404);
  const work = { method: 'PATCH', body: { work_id: things.book }, as: 'bob', headers: { 'if-match': '*' } } as const;
  expect((await place.ask(`/books/${data[0]?.id}`, work)).status).toBe(404);
});
