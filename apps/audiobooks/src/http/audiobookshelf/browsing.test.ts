import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, type ClientServer, PASSWORD, serveClients } from '../../../test/audiobookshelf.ts';
import * as shapes from '../../../test/audiobookshelf-clients.ts';
import { mergeBooks } from '../../service/changes/merge-books.ts';
import { editBook } from '../../service/changes/edit-book.ts';
import { disableClients, enableClients } from '../../service/audiobookshelf/clients.ts';
import { books } from '../../store/definitions.ts';

const HOUR = 3_600_000;
let place: ClientServer;
let ada: Client;
let library: string;
let clock = Date.now();
const log: string[] = [];

beforeAll(async () => {
  const dune = (part: number) => ({
    album: `Dune ${part}`,
    artist: 'Frank Herbert',
    series: 'Dune',
    'series-part': String(part),
  });
  place = await serveClients(
    {
      main: {
        'Jane Austen/Emma/01.mp3': { album: 'Emma', artist: 'Jane Austen', composer: 'Rita Reader', genre: 'Classics' },
        'Jane Austen/Emma/02.mp3': { album: 'Emma', artist: 'Jane Austen', composer: 'Rita Reader', genre: 'Classics' },
        'Frank Herbert/Dune/Dune 1/01.mp3': dune(1),
        'Frank Herbert/Dune/Dune 2/01.mp3': dune(2),
        'Ann Other/Persuasion/01.mp3': { album: 'Persuasion', artist: 'Jane Austen' },
      },
      private: { 'Bob Writer/Diary/01.mp3': { album: 'Diary', artist: 'Bob Writer' } },
    },
    { now: () => clock, log },
  );
  const limited = { libraries: [place.libraries['main']], edit: true, download: true };
  await place.ask(`/rights/${place.users.ada}`, { method: 'PUT', body: limited, as: 'owner' });
  ada = await place.signIn('ada');
  library = (await ada.read('/api/libraries', shapes.libraries)).libraries[0]!.id;
});
afterAll(() => place.close());

const itemsPage = (query: string) => ada.read(`/api/libraries/${library}/items?${query}`, shapes.itemPage);
const titles = async (query: string) => (await itemsPage(query)).results.map(({ media }) => media.metadata.title);
const encoded = (value: string): string => encodeURIComponent(Buffer.from(value).toString('base64'));
const idOf = async (title: string): Promise<string> => {
  const { results } = await itemsPage('limit=0');
  return results.find(({ media }) => media.metadata.title === title)!.id;
};

describe('signing in', () => {
  it('needs no credentials to ask for the status, and tells wrong passwords from a broken server', async () => {
    expect(shapes.status.parse(await (await place.send('/status')).json()).authMethods).toEqual(['local']);
    expect(await (await place.send('/ping')).json()).toEqual({ success: true });
    const wrong = { body: { username: 'ada', password: 'wrong' } };
    const refused = await place.send('/login', wrong);
    // Clients show the body of this answer to the user.
    expect([refused.status, await refused.text()]).toEqual([401, 'The user name or password is wrong']);
    for (const path of ['/api/me', '/api/libraries', '/api/authorize']) {
      expect([path, (await place.send(path, { method: path.endsWith('authorize') ? 'POST' : 'GET' })).status]).toEqual([
        path,
        401,
      ]);
    }
    expect((await place.send('/api/me', { token: 'no.such.token' })).status).toBe(401);
  });

  it('answers each start of a client, and never sends the bearer token back as the old token', async () => {
    const answer = await ada.read('/api/authorize', shapes.authorized, { method: 'POST' });
    expect(answer.user.token).not.toBe(ada.tokens.access);
    expect(answer.user).not.toHaveProperty('accessToken');
    expect(answer.userDefaultLibraryId).toBe(library);
    const me = await ada.read('/api/me', shapes.user, { token: answer.user.token });
    expect(me.username).toBe('ada');
  });

  it('sets a cookie only for browsers', async () => {
    const body = { username: 'ada', password: PASSWORD };
    const program = await place.send('/login', { body });
    expect(program.headers.getSetCookie()).toEqual([]);
    const browser = await place.send('/login', { body, headers: { origin: 'http://localhost' } });
    const [cookie = ''] = browser.headers.getSetCookie();
    expect(cookie).toMatch(/^refresh_token=.+HttpOnly; SameSite=Lax/u);
    expect(((await browser.json()) as { user: { refreshToken: unknown } }).user.refreshToken).toBeNull();
    const again = await place.send('/auth/refresh', {
      method: 'POST',
      headers: { cookie: cookie.split(';')[0]!, origin: 'http://localhost' },
    });
    expect(again.status).toBe(200);
  });

  it('repeats the answer to a repeated refresh, and refreshes twice at once', async () => {
    const client = await place.signIn('ada');
    const refresh = async (token: string) => {
      const response = await place.send('/auth/refresh', {
        method: 'POST',
        headers: { 'x-refresh-token': token, 'content-type': 'application/json' },
      });
      if (response.status !== 200) return response.status;
      const { accessToken, refreshToken } = shapes.login.parse(await response.json()).user;
      return { accessToken, refreshToken };
    };
    const [first, second] = await Promise.all([refresh(client.tokens.refresh), refresh(client.tokens.refresh)]);
    expect(second).toEqual(first);
    // Simulates a lost response and a phone that was offline for a day.
    clock += 24 * HOUR;
    expect(await refresh(client.tokens.refresh)).toEqual(first);
    expect((await client.send('/api/me')).status).toBe(401);
    // Once the client has used the new pair, the old token works for only a few more minutes.
    if (typeof first === 'number') throw new Error('refused');
    const next = await refresh(first.refreshToken);
    if (typeof next === 'number') throw new Error('refused');
    expect((await client.send('/api/me', { token: next.accessToken })).status).toBe(200);
    clock += HOUR / 12;
    expect(await refresh(first.refreshToken)).toEqual(next);
    clock += HOUR / 6;
    expect(await refresh(first.refreshToken)).toBe(401);
    expect(typeof (await refresh(next.refreshToken))).toBe('object');
    expect(await refresh(client.tokens.access)).toBe(401);
  });

  it('ends with signing out, with the revoked token, and with the account', async () => {
    const [phone, tablet] = [await place.signIn('bob'), await place.signIn('bob')];
    const out = await place.send('/logout', { method: 'POST', headers: { 'x-refresh-token': phone.tokens.refresh } });
    expect(await out.json()).toEqual({ redirect_url: null });
    for (const token of [phone.tokens.access, phone.login.user.token]) {
      expect((await place.send('/api/me', { token })).status).toBe(401);
    }
    expect((await tablet.send('/api/me')).status).toBe(200);
    const [token, ...more] = await place.accounts.listTokens(place.users.bob);
    expect([token?.name, more]).toEqual(['Audiobookshelf client', []]);
    // A sign-in beyond the limit ends the least recently used one.
    const lastUsed = async () => (await place.accounts.listTokens(place.users.bob))[0]?.last_used_at;
    await expect.poll(lastUsed).not.toBeNull();
    await place.accounts.revokeToken({ userId: place.users.bob, tokenId: token!.id });
    expect((await tablet.send('/api/me')).status).toBe(401);
    const watch = await place.signIn('bob');
    await place.accounts.setStatus({ userId: place.users.bob, status: 'disabled' });
    expect((await watch.send('/api/me')).status).toBe(401);
    await place.accounts.setStatus({ userId: place.users.bob, status: 'active' });
  });

  it('is off until an administrator enables it, and keeps ids', async () => {
    // The earlier token has expired.
    ada = await place.signIn('ada');
    const before = await idOf('Emma');
    await disableClients(place.app);
    for (const path of ['/status', '/ping', '/api/me', `/api/items/${before}/cover`, '/', '/anything']) {
      const response = await place.send(path);
      expect([path, response.status, response.headers.get('content-type')]).toEqual([
        path,
        404,
        'text/plain; charset=utf-8',
      ]);
    }
    await enableClients(place.app);
    expect(await idOf('Emma')).toBe(before);
  });
});

describe('browsing', () => {
  it('pages through a library with exact totals, in every order', async () => {
    expect(await titles('limit=0')).toEqual(['Dune 1', 'Dune 2', 'Emma', 'Persuasion']);
    const page = await itemsPage('limit=2&page=1&minified=1&sort=media.metadata.title');
    expect([page.total, page.results.length, page.offset, page.minified]).toEqual([4, 2, 2, true]);
    expect((await itemsPage('limit=2&page=9')).results).toEqual([]);
    expect(await titles('sort=media.metadata.title&desc=1')).toEqual(['Persuasion', 'Emma', 'Dune 2', 'Dune 1']);
    expect((await titles('sort=media.duration&desc=1'))[0]).toBe('Emma');
    for (const sort of [
      'addedAt',
      'size',
      'mtimeMs',
      'media.metadata.publishedYear',
      'media.metadata.authorNameLF',
      'progress',
      'random',
      'nonsense',
    ]) {
      expect([sort, (await titles(`sort=${sort}`)).toSorted()]).toEqual([
        sort,
        ['Dune 1', 'Dune 2', 'Emma', 'Persuasion'],
      ]);
    }
  });

  it('filters as every client encodes it', async () => {
    const filters = await ada.read(`/api/libraries/${library}/filterdata`, shapes.filterData);
    const austen = filters.authors.find(({ name }) => name === 'Jane Austen')!.id;
    const dune = filters.series.find(({ name }) => name === 'Dune')!.id;
    expect(await titles(`filter=authors.${encoded(austen)}`)).toEqual(['Emma', 'Persuasion']);
    expect(await titles(`filter=series.${encoded(dune)}&sort=sequence&desc=1`)).toEqual(['Dune 2', 'Dune 1']);
    // ShelfPlayer encodes the value twice.
    expect(await titles(`filter=series.${encodeURIComponent(encoded(dune))}`)).toEqual(['Dune 1', 'Dune 2']);
    expect(await titles(`filter=narrators.${encoded('Rita Reader')}`)).toEqual(['Emma']);
    expect(await titles(`filter=genres.${encoded('Classics')}`)).toEqual(['Emma']);
    expect(await titles(`filter=series.${encoded('no-series')}`)).toEqual(['Emma', 'Persuasion']);
    expect(await titles(`filter=tracks.${encoded('multi')}`)).toEqual(['Emma']);
    expect(await titles(`filter=progress.${encoded('finished')}`)).toEqual([]);
    expect(await titles(`filter=progress.${encoded('not-finished')}`)).toHaveLength(4);
    expect(await titles('filter=issues')).toEqual([]);
    const { results } = await itemsPage(`filter=series.${encoded(dune)}`);
    expect(results[0]!.media.metadata.series).toEqual({ id: dune, name: 'Dune', sequence: '1' });
    const collapsed = await itemsPage('collapseseries=1&limit=2');
    expect([collapsed.total, collapsed.results[0]!.collapsedSeries?.numBooks]).toEqual([3, 2]);
  });

  it('shows a book with files and chapters under both ids of a merged duplicate', async () => {
    const emma = await ada.read(`/api/items/${await idOf('Emma')}?expanded=1&include=progress`, shapes.expandedItem);
    expect(emma.userMediaProgress).toBeNull();
    const { tracks, duration, chapters } = emma.media;
    expect(tracks.map(({ index }) => index)).toEqual([1, 2]);
    expect(tracks[1]!.startOffset).toBe(tracks[0]!.duration);
    expect(duration).toBe(tracks[0]!.duration + tracks[1]!.duration);
    expect(chapters.at(-1)!.end).toBe(duration);
    const both = { libraryItemIds: [emma.id, '00000000-0000-0000-0000-000000000000', 'x'] };
    expect((await ada.read('/api/items/batch/get', shapes.batch, { body: both })).libraryItems).toHaveLength(1);
    const old = await idOf('Persuasion');
    const [keep, other] = ['emma', 'persuasion'].map((title) => ({ normalized_title: title }));
    const found = async (key: { normalized_title: string }) => (await place.app.store.list(books.by.title, key))[0]!.id;
    await mergeBooks(place.app, { keep: await found(keep!), other: await found(other!), by: 'test' });
    expect((await ada.read(`/api/items/${old}`, shapes.expandedItem)).id).toBe(emma.id);
    expect(await titles('limit=0')).toEqual(['Dune 1', 'Dune 2', 'Emma']);
  });

  it('lists series, authors and narrators in both shapes', async () => {
    const series = await ada.read(`/api/libraries/${library}/series?limit=10&page=0`, shapes.seriesPage);
    expect(series.results.map(({ name, books: all }) => [name, all.length])).toEqual([['Dune', 2]]);
    const id = series.results[0]!.id;
    const one = await ada.send(`/api/libraries/${library}/series/${id}?include=progress`);
    expect(await one.json()).toMatchObject({ progress: { isFinished: false, libraryItemIdsFinished: [] } });
    await ada.read(`/api/series/${id}`, shapes.series);
    const { authors } = await ada.read(`/api/libraries/${library}/authors`, shapes.authors);
    expect(authors.map(({ name }) => name)).toEqual(['Frank Herbert', 'Jane Austen']);
    const paged = await ada.read(`/api/libraries/${library}/authors?limit=1&page=1`, shapes.authorPage);
    expect([paged.total, paged.results.map(({ name }) => name)]).toEqual([2, ['Jane Austen']]);
    const author = await ada.read(`/api/authors/${authors[0]!.id}?include=items,series`, shapes.authorWithItems);
    expect(author.libraryItems).toHaveLength(2);
    expect((await place.send(`/api/authors/${authors[0]!.id}/image`)).status).toBe(404);
    const { narrators } = await ada.read(`/api/libraries/${library}/narrators`, shapes.narrators);
    expect(narrators).toEqual([{ id: encoded('Rita Reader'), name: 'Rita Reader', numBooks: 1 }]);
  });

  it('searches and fills the home page', async () => {
    const search = (q: string) => ada.read(`/api/libraries/${library}/search?q=${q}&limit=5`, shapes.searchResult);
    expect((await search('emma')).book.map(({ libraryItem }) => libraryItem.media.metadata.title)).toEqual(['Emma']);
    const dune = await search('dune');
    expect([dune.book.length, dune.series[0]?.books.length]).toEqual([2, 2]);
    expect((await search('jane')).authors.map(({ name }) => name)).toEqual(['Jane Austen']);
    expect((await search('')).book).toEqual([]);
    const home = await ada.read(`/api/libraries/${library}/personalized`, shapes.shelves);
    expect(home.map(({ id }) => id)).toEqual(['recently-added', 'recent-series', 'discover', 'newest-authors']);
    const shown = await ada.read(`/api/libraries/${library}?include=filterdata`, shapes.libraryWithFilters);
    expect(shown.library.name).toBe('main');
    await ada.read(`/api/libraries/${library}`, shapes.library);
  });

  it('follows changes of books at once', async () => {
    const [dune] = await place.app.store.list(books.by.title, { normalized_title: 'dune 2' });
    await editBook(place.app, { book: dune!.id, by: 'test', set: { title: 'Dune Messiah' } });
    expect(await titles('limit=0')).toContain('Dune Messiah');
  });

  it('hides libraries and their books from users without access', async () => {
    const bob = await place.signIn('bob');
    const all = (await bob.read('/api/libraries', shapes.libraries)).libraries;
    expect(all.map(({ name }) => name)).toEqual(['main', 'private']);
    const hidden = all[1]!.id;
    const diary = (await bob.read(`/api/libraries/${hidden}/items`, shapes.itemPage)).results[0]!.id;
    for (const path of [
      `/api/libraries/${hidden}`,
      `/api/libraries/${hidden}/items`,
      `/api/libraries/${hidden}/search?q=d`,
      `/api/items/${diary}`,
    ]) {
      expect([path, (await ada.send(path)).status]).toEqual([path, 404]);
    }
  });
});

describe('covers and guards', () => {
  it('sends covers without credentials, to web views too, and reveals no path', async () => {
    const emma = await idOf('Emma');
    const cover = await place.send(`/api/items/${emma}/cover?width=300&format=jpeg`, {
      headers: { origin: 'capacitor://localhost' },
    });
    expect(cover.status).toBe(200);
    expect(Object.fromEntries(cover.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': 'capacitor://localhost',
    });
    expect((await place.send('/api/items/00000000-0000-0000-0000-000000000000/cover')).status).toBe(404);
    const item = await (await ada.send(`/api/items/${emma}?expanded=1`)).text();
    expect(item).not.toContain('Jane Austen/Emma');
    expect(item).not.toContain(place.home);
  });

  it('refuses foreign pages and other credentials in the URL, and relaxes nothing elsewhere', async () => {
    const emma = await idOf('Emma');
    const token = ada.tokens.access;
    expect((await place.send(`/api/items/${emma}?token=${token}`)).status).toBe(200);
    expect((await place.send(`/api/items/${emma}?access_token=${token}`)).status).toBe(400);
    expect((await place.ask(`/books?token=${token}`)).status).toBe(400);
    const headers = { origin: 'https://evil.example' };
    expect((await ada.send('/api/me', { headers })).status).toBe(403);
    expect(
      (await ada.send('/api/authorize', { method: 'POST', headers: { origin: 'capacitor://localhost' } })).status,
    ).toBe(403);
    expect((await place.ask('/books', { headers: { origin: 'capacitor://localhost' } })).status).toBe(403);
  });

  it('logs neither addresses nor tokens', () => {
    expect(log.join('\n')).not.toContain(ada.tokens.access);
    expect(log.join('\n')).not.toContain('token=');
  });
});
