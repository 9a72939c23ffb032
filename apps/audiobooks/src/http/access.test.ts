import { afterAll, beforeAll, expect, it } from 'vitest';

import { type Person, type Served, serve } from '../../test/served.ts';

/**
 * Expected access per route, written by hand on purpose: a route missing here fails the test. Every request is for
 * Ada's data, in a library that Bob may not see.
 */
interface Rule {
  readonly needs: 'link' | 'read' | 'write' | 'admin';
  /** `library`: users who cannot see the library get 404. `own`: everybody except the owner gets 404. */
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
  'PATCH /libraries/{library}': { ...manage, body: { name: 'private' } },
  'DELETE /libraries/{library}': manage,
  'GET /clients': manage,
  'PUT /clients': manage,
  'DELETE /clients': manage,
  'GET /books': read,
  'GET /books/{book}': ofLibrary,
  'PATCH /books/{book}': { ...change, body: { tags: ['x'] } },
  'DELETE /books/{book}': change,
  'POST /books/{book}/restore': change,
  'GET /books/{book}/history': ofLibrary,
  'POST /books/{book}/history/{entry}/undo': change,
  'GET /books/{book}/cover': ofLibrary,
  'PUT /books/{book}/cover': { ...change, type: 'image/png' },
  'PUT /books/{book}/chapters': { ...change, body: { chapters: [] } },
  'GET /books/{book}/silences': change,
  'POST /books/{book}/cue': { ...change, body: { cue: 'FILE' } },
  'GET /books/{book}/ebooks': ofLibrary,
  'GET /books/{book}/ebooks/{name}': ofLibrary,
  'GET /providers': { needs: 'write' },
  'PUT /providers/{provider}': manage,
  'DELETE /providers/{provider}': manage,
  'GET /matches/cover': { needs: 'write' },
  'POST /books/{book}/matches': { ...change, body: {} },
  'POST /books/{book}/matches/apply': { ...change, body: { match: 'open-library:OL1W' } },
  'POST /books/{book}/chapters/find': { ...change, body: {} },
  'GET /books/{book}/segments/{segment}/stream': ofLibrary,
  'GET /books/{book}/segments/{segment}/download': ofLibrary,
  'GET /books/{book}/bookmarks': ofLibrary,
  'POST /books/{book}/bookmarks': { ...ofLibrary, body: { position_ms: 1, note: '' } },
  'GET /authors': read,
  'GET /authors/{author}': ofLibrary,
  'PATCH /authors/{author}': { ...change, body: {} },
  'POST /authors/{author}/merge': { ...change, body: { others: [things.author] } },
  'GET /series': read,
  'GET /series/{series}': ofLibrary,
  'POST /series/{series}/merge': { ...change, body: { others: [things.series] } },
  'GET /narrators': read,
  'GET /genres': read,
  'GET /tags': read,
  'GET /search': read,
  'GET /rights': manage,
  'GET /rights/{user_id}': manage,
  'PUT /rights/{user_id}': { ...manage, body: { libraries: 'all', edit: true, download: true } },
  'GET /operations': manage,
  'GET /operations/{operation}': manage,
  'GET /operations/{operation}/log': manage,
  'POST /operations/{operation}/cancel': manage,
  'POST /operations/{operation}/undo': manage,
  'POST /operations/scan': { ...manage, body: { library: things.library } },
  'POST /organise/preview': { ...manage, body: { library: things.library } },
  'POST /operations/organise': { ...manage, body: { library: things.library, template: '{' } },
  'POST /merge/preview': { ...manage, body: { book: things.book } },
  'POST /operations/merge': { ...manage, body: { book: things.book, bitrate_kbps: 1 } },
  'POST /operations/transcode': { ...manage, body: { book: things.book, format: 'none' } },
  'POST /tag/preview': { ...manage, body: { book: things.book } },
  'POST /operations/tag': { ...manage, body: { book: '' } },
  'GET /duplicates': manage,
  'POST /corrections/preview': { needs: 'write', body: { pattern: 'no {title} match' } },
  'POST /corrections': { needs: 'write', body: { pattern: 'no {title} match' } },
  'POST /duplicates/merge': { ...manage, body: { keep: things.book, drop: things.book } },
  'GET /events': read,
  'GET /feeds': read,
  'POST /feeds': { ...ofLibrary, body: { kind: 'book', book: things.book } },
  'DELETE /feeds/{feed}': own,
  'GET /feed/{secret}/rss.xml': link,
  'GET /feed/{secret}/cover.jpg': link,
  'GET /feed/{secret}/audio/{file}': link,
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
  'GET /opds/{secret}/books/{id}/audio/{file}': link,
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
  'PATCH /bookmarks/{bookmark}': { ...own, body: { note: 'x' } },
  'DELETE /bookmarks/{bookmark}': own,
  'GET /playlists': read,
  'POST /playlists': { ...read, body: { name: 'mine' } },
  'POST /playlists/preview': { ...read, body: { query: { all: [], sort: 'title', limit: 10 } } },
  'GET /playlists/{playlist}': own,
  'PATCH /playlists/{playlist}': { ...own, body: { name: 'x' } },
  'DELETE /playlists/{playlist}': own,
  'POST /playlists/{playlist}/items': { ...own, body: { books: [things.book] } },
  'PUT /playlists/{playlist}/items/{book}': { ...own, body: {} },
  'DELETE /playlists/{playlist}/items': own,
  'GET /shelves': read,
  'GET /stats': read,
  'GET /stats/year/{year}': read,
  'GET /stats/users': manage,
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
    private: {
      'Ann Other/Diary/01.mp3': { album: 'Diary', artist: 'Ann Other', series: 'Secrets', seriesPart: '1' },
      'Ann Other/Diary/Diary.epub': 'epub',
    },
  });
  things = await makeThings(place);
});
afterAll(() => place.close());

async function makeThings(served: Served): Promise<Things> {
  const { libraries, users } = served;
  const made = async (path: string, body: unknown): Promise<{ id: string }> =>
    (await (await served.ask(path, { method: 'POST', body })).json()) as { id: string };
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
  await made(`/playlists/${playlist.id}/items`, { books: [book] });
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
    feed: (await made('/feeds', { kind: 'book', book })).id,
    playlist: playlist.id,
    bookmark: (await made(`/books/${book}/bookmarks`, { position_ms: 1, note: '' })).id,
  };
}

function addressOf(path: string): string {
  const filled: Readonly<Record<string, string>> = {
    id: things.book,
    ...things,
    user_id: place.users.vera,
    secret: `hff_${'x'.repeat(43)}`,
    file: `${things.segment}.mp3`,
    name: 'Diary.epub',
    provider: 'open-library',
    year: '2026',
  };
  const address = path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => filled[name] ?? name);
  if (path === '/matches/cover') return `${address}?provider=open-library&url=https://openlibrary.org/`;
  if (path === '/playlists/{playlist}/items') return `${address}?books=${things.book}`;
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

/** Destructive routes run last, the most destructive at the very end. */
function lateness(route: string): number {
  // This route enables a provider. It runs late, so that no other route sends requests to that provider.
  if (route === 'PUT /providers/{provider}') return 1;
  if (!route.startsWith('DELETE')) return 0;
  if (route.startsWith('DELETE /libraries')) return 4;
  if (route.startsWith('DELETE /books')) return 3;
  return route.includes('/items') ? 1 : 2;
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

/** Lists must not reveal hidden books, whatever the query. */
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
  const add = { method: 'POST', body: { books: [things.book] }, as: 'bob' } as const;
  expect((await place.ask(`/playlists/${id}/items`, add)).status).toBe(404);
  expect((await place.ask(`/playlists?book=${things.book}`, { as: 'bob' })).status).toBe(404);
  const { data } = await place.get<{ data: { id: string; authors: { id: string }[] }[] }>('/books', 'bob');
  const merge = { method: 'POST', body: { others: [things.author] }, as: 'bob' } as const;
  expect((await place.ask(`/authors/${data[0]?.authors[0]?.id}/merge`, merge)).status).toBe(404);
  const work = { method: 'PATCH', body: { work_id: things.book }, as: 'bob', headers: { 'if-match': '*' } } as const;
  expect((await place.ask(`/books/${data[0]?.id}`, work)).status).toBe(404);
});
