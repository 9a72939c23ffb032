import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, type ClientServer, serveClients } from '../../../test/audiobookshelf.ts';
import * as shapes from '../../../test/audiobookshelf-clients.ts';

let place: ClientServer;
let ada: Client;
let libraries: Record<string, string>;
let items: Record<string, string>;
let clock = Date.UTC(2026, 5, 1, 12);

beforeAll(async () => {
  place = await serveClients(
    {
      main: {
        'Jane Austen/Emma/01.mp3': { album: 'Emma', artist: 'Jane Austen' },
        'Frank Herbert/Dune/01.mp3': { album: 'Dune', artist: 'Frank Herbert' },
      },
      other: { 'Bob Writer/Diary/01.mp3': { album: 'Diary', artist: 'Bob Writer' } },
    },
    { now: () => clock },
  );
  ada = await place.signIn('ada');
  const all = (await ada.read('/api/libraries', shapes.libraries)).libraries;
  libraries = Object.fromEntries(all.map(({ name, id }) => [name, id]));
  items = {};
  for (const { id } of all) {
    const { results } = await ada.read(`/api/libraries/${id}/items`, shapes.itemPage);
    for (const { id: item, media } of results) items[media.metadata.title] = item;
  }
});
afterAll(() => place.close());

const titles = (
  shown: { readonly libraryItem: { readonly media: { readonly metadata: { readonly title: string } } } }[],
) => shown.map(({ libraryItem }) => libraryItem.media.metadata.title);

it('keeps playlists of the listener, which each library shows with its own books', async () => {
  const body = { libraryId: libraries['main'], name: 'Summer', items: [{ libraryItemId: items['Emma'] }] };
  const made = await ada.read('/api/playlists', shapes.playlist, { body });
  const path = `/api/playlists/${made.id}`;
  const batch = { items: [{ libraryItemId: items['Dune'] }, { libraryItemId: items['Diary'] }] };
  await ada.read(`${path}/batch/add`, shapes.playlist, { body: batch });
  const shownIn = async (library: string) => {
    const { results, total } = await ada.read(
      `/api/libraries/${libraries[library]}/playlists?limit=5&page=0`,
      shapes.playlistPage,
    );
    expect(total).toBe(results.length);
    return results.map((list) => titles(list.items));
  };
  expect(await shownIn('main')).toEqual([['Emma', 'Dune']]);
  const withFilters = `/api/libraries/${libraries['main']}?include=filterdata`;
  expect((await ada.read(withFilters, shapes.libraryWithFilters)).numUserPlaylists).toBe(1);
  expect(await shownIn('other')).toEqual([['Diary']]);
  await ada.read(`${path}/item/${items['Dune']}`, shapes.playlist, { method: 'DELETE' });
  await ada.read(`${path}/item`, shapes.playlist, { body: { libraryItemId: items['Dune'] } });
  await ada.read(`${path}/batch/remove`, shapes.playlist, { body: { items: [{ libraryItemId: items['Emma'] }] } });
  const renamed = await ada.read(path, shapes.playlist, { method: 'PATCH', body: { name: 'Autumn' } });
  expect([renamed.name, titles(renamed.items)]).toEqual(['Autumn', ['Diary', 'Dune']]);
  const bob = await place.signIn('bob');
  expect((await bob.send(path)).status).toBe(404);
  expect((await bob.read(`/api/libraries/${libraries['main']}/playlists`, shapes.playlistPage)).results).toEqual([]);
  await ada.done(path, { method: 'DELETE' });
  expect((await ada.send(path)).status).toBe(404);
});

it('puts the books of a list into the order that a client sends, and leaves books of other libraries in place', async () => {
  const item = (title: string) => ({ libraryItemId: items[title] });
  const body = { libraryId: libraries['main'], name: 'Order', items: [item('Emma'), item('Diary'), item('Dune')] };
  const made = await ada.read('/api/playlists', shapes.playlist, { body });
  const order = { items: [item('Dune'), item('Emma')] };
  const moved = await ada.read(`/api/playlists/${made.id}`, shapes.playlist, { method: 'PATCH', body: order });
  expect(titles(moved.items)).toEqual(['Dune', 'Diary', 'Emma']);
  await ada.done(`/api/playlists/${made.id}`, { method: 'DELETE' });
});

it('shows shared playlists as collections', async () => {
  const body = { libraryId: libraries['main'], name: 'Classics', books: [items['Emma']] };
  const made = await ada.read('/api/collections', shapes.collection, { body });
  await ada.read(`/api/collections/${made.id}/book`, shapes.collection, { body: { id: items['Dune'] } });
  const bob = await place.signIn('bob');
  const { results } = await bob.read(`/api/libraries/${libraries['main']}/collections`, shapes.collectionPage);
  expect(results.map(({ name, books }) => [name, books.length])).toEqual([['Classics', 2]]);
  await ada.done(`/api/collections/${made.id}`, { method: 'DELETE' });
});

it('counts the time listened', async () => {
  const device = { deviceInfo: { deviceId: 'phone', manufacturer: 'Acme', model: 'One', clientVersion: '1' } };
  const session = await ada.read(`/api/items/${items['Emma']}/play`, shapes.playSession, { body: device });
  clock += 90_000;
  await ada.done(`/api/session/${session.id}/sync`, { body: { currentTime: 0.5, timeListened: 90 } });
  const stats = await ada.read('/api/me/listening-stats', shapes.listeningStats);
  expect(stats).toMatchObject({ totalTime: 90, today: 90, days: { '2026-06-01': 90 }, dayOfWeek: { Monday: 90 } });
  expect(stats.items[items['Emma'] ?? '']).toMatchObject({ timeListening: 90, mediaMetadata: { title: 'Emma' } });
  expect(stats.recentSessions[0]?.id).toBe(session.id);
});

it('answers 404 to everything that it does not have', async () => {
  for (const path of [
    '/api/tasks',
    '/api/users/online',
    `/api/libraries/${libraries['main']}/stats`,
    '/hls/x/output.m3u8',
    '/api/backups',
    '/api/podcasts',
  ]) {
    const response = await ada.send(path);
    expect([path, response.status]).toEqual([path, 404]);
  }
});
