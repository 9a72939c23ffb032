import { listen, type Listening } from '@holdfast/http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type Client, type ClientServer, serveClients } from '../../../test/audiobookshelf.ts';
import * as shapes from '../../../test/audiobookshelf-clients.ts';
import { disableClients, enableClients } from '../../service/audiobookshelf/clients.ts';
import { editBook } from '../../service/changes/edit-book.ts';
import { books } from '../../store/definitions.ts';

let place: ClientServer;
let ada: Client;
let listening: Listening;

beforeAll(async () => {
  place = await serveClients({ main: { 'Jane Austen/Emma/01.mp3': { album: 'Emma', artist: 'Jane Austen' } } });
  listening = await listen(place.server, { port: 0 });
  ada = await place.signIn('ada');
});
afterAll(() => place.close());

interface Connection {
  readonly socket: WebSocket;
  /** Resolves with the next packet that starts with this text. */
  readonly packet: (start: string) => Promise<string>;
  readonly event: (name: string) => Promise<unknown>;
}

function connect(headers: Readonly<Record<string, string>> = {}, path = '/audiobookshelf/socket.io/'): Connection {
  const url = `${listening.url.replace('http', 'ws')}${path}?EIO=4&transport=websocket`;
  const socket = new WebSocket(url, { headers });
  const packets: string[] = [];
  const waiting = new Set<() => void>();
  socket.on('message', (data: Buffer) => {
    packets.push(data.toString());
    for (const wake of waiting) wake();
  });
  const packet = (start: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const index = packets.findIndex((each) => each.startsWith(start));
        if (index < 0) return;
        waiting.delete(look);
        resolve(packets.splice(index, 1)[0] ?? '');
      };
      waiting.add(look);
      socket.once('error', reject);
      socket.once('close', () => reject(new Error('closed')));
      look();
    });
  const event = async (name: string): Promise<unknown> =>
    (JSON.parse((await packet(`42["${name}"`)).slice(2)) as unknown[])[1];
  return { socket, packet, event };
}

async function signedIn(token: string, headers = {}): Promise<Connection> {
  const connection = connect(headers);
  expect(JSON.parse((await connection.packet('0{')).slice(1))).toMatchObject({ upgrades: [], pingInterval: 25_000 });
  connection.socket.send('40');
  await connection.packet('40{');
  connection.socket.send(`42${JSON.stringify(['auth', token])}`);
  return connection;
}

it('tells a client of positions, books and access', async () => {
  const { socket, event } = await signedIn(ada.tokens.access, { origin: 'capacitor://localhost' });
  expect(await event('init')).toMatchObject({ username: 'ada', userId: ada.login.user.id });
  const [book] = await place.app.store.list(books, {});
  await editBook(place.app, { book: book!.id, by: 'test', set: { subtitle: 'A novel' } });
  const item = shapes.expandedItem.parse(await event('item_updated'));
  expect(item.media.metadata.subtitle).toBe('A novel');
  const session = await ada.read(`/api/items/${item.id}/play`, shapes.playSession, {
    body: { deviceInfo: { deviceId: 'phone', model: 'One', manufacturer: 'Acme', clientVersion: '1' } },
  });
  await ada.done(`/api/session/${session.id}/sync`, { body: { currentTime: 0.2, timeListened: 0 } });
  const update = (await event('user_item_progress_updated')) as { readonly data: unknown };
  expect(update).toMatchObject({ id: item.id, sessionId: session.id, deviceDescription: 'One' });
  expect(shapes.mediaProgress.parse(update.data).currentTime).toBe(0.2);
  await ada.read(`/api/me/item/${item.id}/bookmark`, shapes.bookmark, { body: { time: 0, title: 'Here' } });
  expect(shapes.user.parse(await event('user_updated')).bookmarks).toMatchObject([{ title: 'Here', time: 0 }]);
  const rights = { libraries: 'all', edit: true, download: false };
  await place.ask(`/rights/${place.users.ada}`, { method: 'PUT', body: rights, as: 'owner' });
  expect(shapes.user.parse(await event('user_updated')).permissions.download).toBe(false);
  socket.close();
});

it('tells a client nothing of a library that was hidden from the user meanwhile, and nothing while access is off', async () => {
  const bob = await place.signIn('bob');
  const { socket, event } = await signedIn(bob.tokens.access);
  await event('init');
  const library = ada.login.userDefaultLibraryId;
  const { results } = await ada.read(`/api/libraries/${library}/items`, shapes.itemPage);
  const body = { libraryId: library, name: 'Hidden', books: [results[0]!.id] };
  const { id } = await ada.read('/api/collections', shapes.collection, { body });
  expect(shapes.collection.parse(await event('collection_added')).books).toHaveLength(1);
  const rights = { libraries: [], edit: true, download: true };
  await place.ask(`/rights/${place.users.bob}`, { method: 'PUT', body: rights, as: 'owner' });
  expect(shapes.user.parse(await event('user_updated')).permissions.accessAllLibraries).toBe(false);
  await ada.read(`/api/collections/${id}`, shapes.collection, { method: 'PATCH', body: { name: 'Renamed' } });
  expect(shapes.collection.parse(await event('collection_updated')).books).toEqual([]);
  await disableClients(place.app);
  await expect.poll(() => socket.readyState).toBe(WebSocket.CLOSED);
  await enableClients(place.app);
  await place.ask(`/rights/${place.users.bob}`, { method: 'PUT', body: { ...rights, libraries: 'all' }, as: 'owner' });
});

it('tells a client of its playlists and of all collections', async () => {
  const { socket, event } = await signedIn(ada.tokens.access);
  await event('init');
  const library = ada.login.userDefaultLibraryId;
  const { results } = await ada.read(`/api/libraries/${library}/items`, shapes.itemPage);
  const item = results[0]!.id;
  const bob = await place.signIn('bob');
  const other = { libraryId: library, name: 'Of Bob', items: [{ libraryItemId: item }] };
  await bob.read('/api/playlists', shapes.playlist, { body: other });
  const body = { libraryId: library, name: 'Summer', items: [{ libraryItemId: item }] };
  const { id } = await ada.read('/api/playlists', shapes.playlist, { body });
  // The first event is about Ada's own playlist, because she does not learn about Bob's.
  const added = shapes.playlist.parse(await event('playlist_added'));
  expect(added).toMatchObject({ id, libraryId: library, name: 'Summer', items: [{ libraryItemId: item }] });
  await ada.read(`/api/playlists/${id}`, shapes.playlist, { method: 'PATCH', body: { name: 'Autumn' } });
  expect(shapes.playlist.parse(await event('playlist_updated')).name).toBe('Autumn');
  await ada.done(`/api/playlists/${id}`, { method: 'DELETE' });
  expect(await event('playlist_removed')).toEqual({ id, libraryId: library, userId: ada.login.user.id });
  const shared = { libraryId: library, name: 'Classics', books: [item] };
  const made = await ada.read('/api/collections', shapes.collection, { body: shared });
  expect(shapes.collection.parse(await event('collection_added')).id).toBe(made.id);
  await ada.done(`/api/collections/${made.id}`, { method: 'DELETE' });
  expect(await event('collection_removed')).toEqual({ id: made.id, libraryId: library });
  socket.close();
});

it('refuses wrong tokens, foreign pages, other paths, and everybody while the access is off', async () => {
  const wrong = await signedIn('wrong');
  expect(await wrong.event('auth_failed')).toEqual({ message: 'Invalid token' });
  wrong.socket.close();
  await expect(connect({ origin: 'https://evil.example' }).packet('0')).rejects.toThrow('404');
  await expect(connect({}, '/socket.io/').packet('0')).rejects.toThrow('404');
  await disableClients(place.app);
  await expect(connect().packet('0')).rejects.toThrow('socket hang up');
  await enableClients(place.app);
});

it('ends the connection of a client that has signed out elsewhere', async () => {
  const again = await place.signIn('ada');
  const { event, socket } = await signedIn(again.tokens.access);
  await event('init');
  await place.send('/logout', { method: 'POST', headers: { 'x-refresh-token': again.tokens.refresh } });
  await expect.poll(() => socket.readyState).toBe(WebSocket.CLOSED);
});

it('limits the sockets of a user together with their event streams', async () => {
  const { streams } = place.server;
  const others = Array.from({ length: streams.settings.listenersPerUserMax }, () => ({
    beat: () => undefined,
    recheck: async () => undefined,
    close: () => undefined,
  }));
  for (const other of others) streams.add(other, place.users.ada);
  const { socket } = await signedIn(ada.tokens.access);
  await expect.poll(() => socket.readyState).toBe(WebSocket.CLOSED);
  for (const other of others) streams.remove(other);
  const allowed = await signedIn(ada.tokens.access);
  await allowed.event('init');
  expect(streams.size).toBe(1);
  allowed.socket.close();
  await expect.poll(() => streams.size).toBe(0);
});

it('keeps nothing of a client that leaves while its token is checked', async () => {
  for (let round = 0; round < 5; round++) {
    // The first use of a token is stored, so its check takes a while.
    const { tokens } = await place.signIn('bob');
    const { socket } = await signedIn(tokens.access);
    await new Promise((resolve) => void setTimeout(resolve, round));
    socket.terminate();
  }
  await new Promise((resolve) => void setTimeout(resolve, 300));
  expect(place.server.streams.size).toBe(0);
});

it('ends the oldest socket that does not sign in when many wait', async () => {
  const first = connect();
  await first.packet('0{');
  const later = Array.from({ length: 100 }, () => connect());
  await Promise.all(later.map(({ packet }) => packet('0{')));
  await expect.poll(() => first.socket.readyState).toBe(WebSocket.CLOSED);
  expect(later.filter(({ socket }) => socket.readyState === WebSocket.OPEN)).toHaveLength(100);
  for (const { socket } of later) socket.terminate();
});

it('does not delay the end of the server', async () => {
  const { event, socket } = await signedIn(ada.tokens.access);
  await event('init');
  const closed = new Promise((resolve) => {
    socket.once('close', resolve);
  });
  expect(await listening.close(5_000)).toEqual({ cut: 0 });
  await closed;
});
