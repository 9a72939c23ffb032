import { afterAll, beforeAll, expect, it } from 'vitest';

import { type Person, type Served, serve } from '../../test/served.ts';

/**
 * Tests each operation on an object that Ada owns, as users with different roles. Ada sends the same request last,
 * which proves that the request is valid. Bob sees only the library `other`, so responses must not reveal to him that
 * Ada's book exists. Administrators do not own Ada's objects either.
 */

let place: Served;
let book: string;
beforeAll(async () => {
  place = await serve({
    main: { 'Jane Austen/Emma/01.mp3': { album: 'Emma', artist: 'Jane Austen' } },
    other: { 'Homer/Iliad/01.mp3': { album: 'Iliad', artist: 'Homer' } },
  });
  const rights = { libraries: [place.libraries['other']], download: true };
  await place.ask(`/rights/${place.users.bob}`, { method: 'PUT', body: rights, as: 'owner' });
  const { data } = await place.get<{ data: { id: string; title: string }[] }>('/books');
  book = data.find(({ title }) => title === 'Emma')?.id ?? '';
});
afterAll(() => place.close());

interface Row {
  readonly method: string;
  readonly path: (id: string) => string;
  readonly body?: (id: string) => unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The kind of object. The test creates one as Ada and calls `path` and `body` with its id. */
  readonly of: 'bookmark' | 'playlist' | 'feed' | 'book' | 'user';
  /** Expected statuses for Bob (another user), Vera (a viewer), the administrator and Ada. */
  readonly expected: readonly [bob: number, vera: number, owner: number, ada: number];
}

async function made(path: string, body: object): Promise<string> {
  const answer = await place.ask(path, { method: 'POST', body, as: 'ada' });
  const { id } = (await answer.json()) as { id: string };
  expect(answer.status, path).toBe(201);
  return id;
}

let count = 0;
const make: Readonly<Record<Row['of'], () => Promise<string>>> = {
  bookmark: () => made(`/books/${book}/bookmarks`, { position_ms: 10, note: 'mine' }),
  playlist: async () => {
    const id = await made('/playlists', { name: `Private ${(count += 1)}` });
    await place.ask(`/playlists/${id}/items`, { method: 'POST', body: { books: [book] }, as: 'ada' });
    return id;
  },
  feed: () => made('/feeds', { kind: 'book', book }),
  book: () => Promise.resolve(book),
  user: () => Promise.resolve(place.users.vera),
};

const any = { 'if-match': '*' };
const rows: readonly Row[] = [
  {
    of: 'bookmark',
    method: 'PATCH',
    path: (id) => `/bookmarks/${id}`,
    body: () => ({ note: 'changed' }),
    headers: any,
    expected: [404, 404, 404, 200],
  },
  { of: 'bookmark', method: 'DELETE', path: (id) => `/bookmarks/${id}`, expected: [404, 404, 404, 204] },
  { of: 'playlist', method: 'GET', path: (id) => `/playlists/${id}`, expected: [404, 404, 404, 200] },
  {
    of: 'playlist',
    method: 'PATCH',
    path: (id) => `/playlists/${id}`,
    body: () => ({ name: 'Taken' }),
    headers: any,
    expected: [404, 404, 404, 200],
  },
  {
    of: 'playlist',
    method: 'POST',
    path: (id) => `/playlists/${id}/items`,
    body: () => ({ books: [book] }),
    expected: [404, 404, 404, 201],
  },
  {
    of: 'playlist',
    method: 'DELETE',
    path: (id) => `/playlists/${id}/items?books=${book}`,
    expected: [404, 404, 404, 200],
  },
  { of: 'playlist', method: 'DELETE', path: (id) => `/playlists/${id}`, expected: [404, 404, 404, 204] },
  { of: 'feed', method: 'DELETE', path: (id) => `/feeds/${id}`, expected: [404, 404, 404, 204] },
  { of: 'book', method: 'GET', path: (id) => `/books/${id}`, expected: [404, 200, 200, 200] },
  { of: 'book', method: 'GET', path: (id) => `/books/${id}/cover`, expected: [404, 200, 200, 200] },
  { of: 'book', method: 'GET', path: (id) => `/books/${id}/history`, expected: [404, 200, 200, 200] },
  { of: 'book', method: 'GET', path: (id) => `/progress/${id}`, expected: [404, 200, 200, 200] },
  {
    of: 'book',
    method: 'PUT',
    path: (id) => `/progress/${id}`,
    body: () => ({ position_ms: 5 }),
    expected: [404, 200, 200, 200],
  },
  {
    of: 'book',
    method: 'PATCH',
    path: (id) => `/books/${id}`,
    body: () => ({ title: 'Emma' }),
    headers: any,
    expected: [404, 403, 200, 200],
  },
  {
    of: 'book',
    method: 'POST',
    path: () => '/playlists',
    body: () => ({ name: `List ${(count += 1)}` }),
    expected: [201, 201, 201, 201],
  },
  {
    of: 'book',
    method: 'POST',
    path: (id) => `/books/${id}/bookmarks`,
    body: () => ({ position_ms: 1, note: 'x' }),
    expected: [404, 201, 201, 201],
  },
  {
    of: 'book',
    method: 'POST',
    path: () => '/feeds',
    body: (id) => ({ kind: 'book', book: id }),
    expected: [404, 201, 201, 201],
  },
  { of: 'user', method: 'PUT', path: (id) => `/rights/${id}`, body: () => ({}), expected: [403, 403, 200, 403] },
];

const people: readonly Person[] = ['bob', 'vera', 'owner', 'ada'];

it.each(rows.map((row) => [`${row.method} ${row.path('{id}').split('?')[0]} of a ${row.of}`, row] as const))(
  '%s',
  async (_, { of, method, path, body, headers = {}, expected }) => {
    const id = await make[of]();
    const seen: string[] = [];
    for (const as of people) {
      const sent = body === undefined ? {} : { body: body(id) };
      const { status } = await place.ask(path(id), { method, headers, as, ...sent });
      seen.push(`${as} ${status}`);
    }
    expect(seen).toEqual(people.map((person, at) => `${person} ${expected[at]}`));
  },
);

it('lists show only what belongs to the caller', async () => {
  const [mark, list] = [await make.bookmark(), await make.playlist()];
  for (const as of ['bob', 'vera', 'owner'] as const) {
    const answers = await Promise.all(
      [
        '/playlists',
        '/feeds',
        '/progress',
        '/shelves',
        '/stats',
        ...(as === 'bob' ? ['/books', '/search?q=Emma', '/export'] : []),
      ].map(async (path) => (await place.ask(path, { as })).text()),
    );
    expect(answers.join()).not.toContain(list);
    expect(answers.join()).not.toContain(mark);
    if (as === 'bob') expect(answers.join()).not.toContain(book);
  }
});
