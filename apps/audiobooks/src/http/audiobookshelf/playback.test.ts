import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, type ClientServer, serveClients } from '../../../test/audiobookshelf.ts';
import * as shapes from '../../../test/audiobookshelf-clients.ts';
import { ADDED_MS, mergeFiles, newBook } from '../../../test/player.ts';
import { ClientIds } from '../../model/audiobookshelf/ids.ts';
import { openAudiobooks, storeLocation } from '../../service/audiobooks.ts';
import { ownSession } from '../../service/audiobookshelf/playback.ts';
import { localListener } from '../../service/listener.ts';
import { jumpsIn } from '../../service/listening/progress.ts';
import { mergeBook } from '../../service/merge/encode-book.ts';
import { statisticsOf } from '../../service/statistics/read-statistics.ts';
import { clientSettings } from '../../store/definitions.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DEVICE = { deviceId: 'phone-1', manufacturer: 'Acme', model: 'One', clientVersion: '1.0', sdkVersion: 33 };

let place: ClientServer;
let ada: Client;
let ids: ClientIds;
let clock = Date.UTC(2026, 5, 1, 12);

beforeAll(async () => {
  place = await serveClients(
    {
      main: {
        'Jane Austen/Emma/01.mp3': { album: 'Emma', artist: 'Jane Austen' },
        'Jane Austen/Emma/02.mp3': { album: 'Emma', artist: 'Jane Austen' },
      },
    },
    { now: () => clock },
  );
  ids = new ClientIds((await place.app.store.get(clientSettings, {}))!.id_key);
  ada = await place.signIn('ada');
});
afterAll(() => place.close());

/** Returns the client id of a new one-hour book. */
const longBook = async (): Promise<string> => ids.toClient(await newBook(place.app));
const start = (item: string, device: object = DEVICE, client = ada) =>
  client.read(`/api/items/${item}/play`, shapes.playSession, {
    body: { deviceInfo: device, mediaPlayer: 'exo-player', supportedMimeTypes: [], forceDirectPlay: true },
  });
const sync = (session: string, currentTime: number, timeListened: number, more = 'sync') =>
  ada.done(`/api/session/${session}/${more}`, { body: { currentTime, timeListened, duration: 3_600 } });
const progressOf = (item: string) => ada.read(`/api/me/progress/${item}`, shapes.mediaProgress);
const leftPositions = async (item: string): Promise<readonly number[]> =>
  (await jumpsIn(place.app, localListener(place.users.ada), ids.fromClient(item)!)).map(
    ({ book_position_ms: position }) => position / 1_000,
  );
const listenedMs = async (item: string): Promise<number> => {
  const period = { from: '2026-05-01', to: '2026-12-31', zone: 'UTC' };
  const { books } = await statisticsOf(place.app, localListener(place.users.ada), period);
  return (books.find(({ book }) => book?.id === ids.fromClient(item))?.seconds ?? 0) * 1_000;
};
const realBook = async (): Promise<string> => {
  const all = (await ada.read('/api/libraries', shapes.libraries)).libraries;
  const main = all.find(({ name }) => name === 'main')!.id;
  return (await ada.read(`/api/libraries/${main}/items`, shapes.itemPage)).results[0]!.id;
};

/** Reads a ZIP archive through the directory at its end, as unzip programs do. */
function filesIn(archive: Buffer, expected: readonly { readonly content: Buffer }[]) {
  const end = archive.length - 22;
  expect(archive.readUInt32LE(end)).toBe(0x06_05_4b_50);
  let at = archive.readUInt32LE(end + 16);
  return Array.from({ length: archive.readUInt16LE(end + 10) }, (_, index) => {
    expect(archive.readUInt32LE(at)).toBe(0x02_01_4b_50);
    const [size, length, offset] = [
      archive.readUInt32LE(at + 24),
      archive.readUInt16LE(at + 28),
      archive.readUInt32LE(at + 42),
    ];
    const file = {
      name: archive.toString('utf8', at + 46, at + 46 + length),
      size,
      checksum: archive.readUInt32LE(at + 16),
    };
    at += 46 + length + archive.readUInt16LE(at + 30);
    const content = offset + 30 + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28);
    return { ...file, isSame: archive.subarray(content, content + size).equals(expected[index]!.content) };
  });
}

describe('playing', () => {
  it('streams the files of a session without credentials, until the session or the user ends', async () => {
    const item = await realBook();
    const session = await start(item);
    expect(session.deviceInfo).toMatchObject(DEVICE);
    expect([session.playMethod, session.currentTime]).toEqual([0, 0]);
    const [first] = session.audioTracks;
    const whole = await place.send(first!.contentUrl);
    expect([whole.status, whole.headers.get('content-length')]).toEqual([200, String(first!.metadata.size)]);
    // The official app's web view plays audio from another origin.
    expect(whole.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    const tail = await place.send(first!.contentUrl, { headers: { range: 'bytes=-10' } });
    expect([tail.status, (await tail.arrayBuffer()).byteLength]).toEqual([206, 10]);
    expect((await place.send(`/public/session/${session.id}/track/0`)).status).toBe(404);
    expect((await place.send(`/public/session/${session.id}/track/3`)).status).toBe(404);
    expect((await place.send(`/public/session/${randomUUID()}/track/1`)).status).toBe(404);
    await place.accounts.setStatus({ userId: place.users.ada, status: 'disabled' });
    expect((await place.send(first!.contentUrl)).status).toBe(404);
    expect((await ada.send(`/api/session/${session.id}/sync`, { body: { currentTime: 1 } })).status).toBe(401);
    await place.accounts.setStatus({ userId: place.users.ada, status: 'active' });
    expect((await place.send(first!.contentUrl)).status).toBe(200);
    await ada.done(`/api/session/${session.id}/close`, { method: 'POST' });
    expect((await place.send(first!.contentUrl)).status).toBe(404);
    expect((await ada.send(`/api/session/${session.id}/sync`, { body: { currentTime: 1 } })).status).toBe(404);
  });

  it('sends files to clients with a bearer token or a token in the URL', async () => {
    const item = await ada.read(`/api/items/${await realBook()}?expanded=1`, shapes.expandedItem);
    const [track] = item.media.tracks;
    const file = await ada.send(track!.contentUrl, { headers: { range: 'bytes=0-3' } });
    expect([file.status, file.headers.get('content-type')]).toEqual([206, 'audio/mpeg']);
    const download = `${track!.contentUrl}/download`;
    expect((await place.send(`${download}?token=${ada.tokens.access}`)).headers.get('content-disposition')).toMatch(
      /^attachment/u,
    );
    expect((await place.send(download)).status).toBe(401);
    const rights = { libraries: 'all', edit: true, download: false };
    await place.ask(`/rights/${place.users.ada}`, { method: 'PUT', body: rights, as: 'owner' });
    expect((await ada.send(download)).status).toBe(404);
    expect((await ada.send(track!.contentUrl)).status).toBe(200);
    await place.ask(`/rights/${place.users.ada}`, { method: 'PUT', body: { ...rights, download: true }, as: 'owner' });
  });

  it('sends a whole book as an archive', async () => {
    const item = await ada.read(`/api/items/${await realBook()}`, shapes.expandedItem);
    const response = await place.send(`/api/items/${item.id}/download?token=${ada.login.user.token}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
    const archive = Buffer.from(await response.arrayBuffer());
    const tracks = await Promise.all(
      item.media.tracks.map(async ({ metadata, contentUrl }) => {
        const content = Buffer.from(await (await ada.send(contentUrl)).arrayBuffer());
        return { name: metadata.filename, size: metadata.size, checksum: crc32(content), isSame: true, content };
      }),
    );
    expect(filesIn(archive, tracks)).toEqual(tracks.map(({ content: _, ...file }) => file));
  });

  it('has one open session per device, keeps sessions over a restart, and refuses to transcode', async () => {
    const item = await longBook();
    const [first, second] = [await start(item), await start(item)];
    const tablet = await start(item, { ...DEVICE, deviceId: 'tablet' });
    expect((await ada.send(`/api/session/${first.id}`)).status).toBe(404);
    for (const { id } of [second, tablet]) await ada.read(`/api/session/${id}`, shapes.playSession);
    const restarted = await openAudiobooks({ ...storeLocation(place.app.home, {}), now: () => clock });
    expect((await ownSession(restarted, localListener(place.users.ada), second.id)).id).toBe(second.id);
    await restarted.close();
    const bob = await place.signIn('bob');
    expect((await bob.send(`/api/session/${second.id}`)).status).toBe(404);
    for (const forceTranscode of [true, '1']) {
      expect((await ada.send(`/api/items/${item}/play`, { body: { forceTranscode } })).status).toBe(400);
    }
    clock += 37 * HOUR;
    ada = await place.signIn('ada');
    expect((await ada.send(`/api/session/${second.id}`)).status).toBe(404);
  });
});

describe('positions', () => {
  it('follow each sync; a repeated one counts no time twice', async () => {
    const item = await longBook();
    const session = await start(item);
    clock += 20_000;
    await sync(session.id, 20, 20);
    await sync(session.id, 20, 20);
    clock += 20_000;
    await sync(session.id, 40.5, 20, 'close');
    expect(await progressOf(item)).toMatchObject({ currentTime: 40.5, isFinished: false, lastUpdate: clock });
    expect(await listenedMs(item)).toBe(40_000);
    const { sessions, total } = await ada.read('/api/me/listening-sessions?itemsPerPage=1', shapes.sessionPage);
    expect([sessions[0]!.id, sessions[0]!.timeListening, total > 1]).toEqual([session.id, 40, true]);
    const ofItem = await ada.read(`/api/me/item/listening-sessions/${item}`, shapes.sessionPage);
    expect([ofItem.total, ofItem.numPages]).toEqual([1, 1]);
    expect((await start(item)).currentTime).toBe(40.5);
  });

  it('of a session that is closed while a report arrives leave it closed', async () => {
    const session = await start(await realBook());
    clock += 20_000;
    await Promise.all([sync(session.id, 0.2, 20), sync(session.id, 0.3, 20, 'close'), sync(session.id, 0.4, 20)]);
    expect((await place.send(`/public/session/${session.id}/track/1`)).status).toBe(404);
  });

  it('survive a stale session and a client that sends 0:00 at the end', async () => {
    const item = await longBook();
    const session = await start(item);
    clock += 20 * MINUTE;
    await sync(session.id, 1_200, 1_200);
    await sync(session.id, 0, 0, 'close');
    expect((await progressOf(item)).currentTime).toBe(1_200);
    const stale = await start(item, { ...DEVICE, deviceId: 'old tablet' });
    clock += 2_000;
    await sync(stale.id, 1.6, 1.6);
    expect((await progressOf(item)).currentTime).toBe(1.6);
    expect(await leftPositions(item)).toEqual([1_200]);
    const local = {
      id: randomUUID(),
      libraryItemId: item,
      currentTime: 1.6,
      timeListening: 1,
      startedAt: clock - HOUR,
      updatedAt: clock - HOUR,
    };
    await ada.done('/api/session/local', { body: local });
    await ada.done(`/api/me/progress/${item}`, { method: 'PATCH', body: { currentTime: 1_200 } });
    await ada.done('/api/session/local', { body: local });
    expect((await progressOf(item)).currentTime).toBe(1_200);
  });

  it('of a finished book survive a client that sends 0:00 at the end; listening again starts the book again', async () => {
    const item = await longBook();
    const session = await start(item);
    clock += 20_000;
    await sync(session.id, 3_595, 20);
    await sync(session.id, 0, 0, 'close');
    expect(await progressOf(item)).toMatchObject({ currentTime: 3_595, isFinished: true });
    const again = await start(item);
    expect(again.currentTime).toBe(0);
    clock += 15_000;
    await sync(again.id, 15, 15);
    expect(await progressOf(item)).toMatchObject({ currentTime: 15, isFinished: false });
  });

  it('survive a late report of a session that another device has overtaken', async () => {
    const item = await longBook();
    const forgotten = await start(item, { ...DEVICE, deviceId: 'old tablet' });
    clock += 2_000;
    const session = await start(item);
    clock += 20 * MINUTE;
    await sync(session.id, 1_200, 1_200);
    await sync(forgotten.id, 1.6, 2);
    expect((await progressOf(item)).currentTime).toBe(1_200);
    // The user listens on the tablet again.
    clock += 10_000;
    await sync(forgotten.id, 11, 10);
    expect((await progressOf(item)).currentTime).toBe(11);
    expect(await leftPositions(item)).toEqual([1_200]);
  });

  it('follow the files when they are merged during a session', async () => {
    const item = await longBook();
    const session = await start(item);
    await mergeFiles(place.app, ids.fromClient(item)!);
    clock += 60_000;
    // 15 minutes into the book, which is 5 minutes into the second of the original files.
    await sync(session.id, 900, 60);
    expect((await progressOf(item)).currentTime).toBeCloseTo(900 + ADDED_MS / 1_000, 3);
    const real = await realBook();
    const playing = await start(real);
    const merged = await mergeBook(place.app, { book: ids.fromClient(real)!, by: 'test' });
    expect(merged.status).toBe('completed');
    const second = await place.send(playing.audioTracks[1]!.contentUrl);
    expect([second.status, second.headers.get('content-length')]).toEqual([
      200,
      String(playing.audioTracks[1]!.metadata.size),
    ]);
    expect((await start(real)).audioTracks).toHaveLength(1);
  });

  it('finish, reopen, hide and forget a book as clients ask for it', async () => {
    const item = await longBook();
    const change = (body: object) => ada.done(`/api/me/progress/${item}`, { method: 'PATCH', body });
    expect((await ada.send(`/api/me/progress/${item}`)).status).toBe(404);
    await change({ currentTime: 600, duration: 3_600, progress: 0.16 });
    await change({ isFinished: true });
    expect(await progressOf(item)).toMatchObject({
      isFinished: true,
      progress: 1,
      currentTime: 600,
      finishedAt: clock,
    });
    expect((await start(item)).currentTime).toBe(0);
    clock += MINUTE;
    await change({ isFinished: false });
    expect(await progressOf(item)).toMatchObject({ isFinished: false, currentTime: 0, finishedAt: null });
    await change({ currentTime: 700 });
    const { libraryItems } = await ada.read('/api/me/items-in-progress', shapes.itemsInProgress);
    expect(libraryItems.map(({ id }) => id)).toContain(item);
    const user = await ada.read(`/api/me/progress/${item}/remove-from-continue-listening`, shapes.user);
    expect(user.mediaProgress.find(({ id }) => id === item)?.hideFromContinueListening).toBe(true);
    const shown = await ada.read('/api/me/items-in-progress', shapes.itemsInProgress);
    expect(shown.libraryItems.map(({ id }) => id)).not.toContain(item);
    clock += MINUTE;
    await change({ currentTime: 710 });
    expect((await progressOf(item)).hideFromContinueListening).toBe(false);
    await ada.done(`/api/me/progress/${item}`, { method: 'DELETE' });
    expect((await ada.send(`/api/me/progress/${item}`)).status).toBe(404);
    expect((await ada.read('/api/me', shapes.user)).mediaProgress.map(({ id }) => id)).not.toContain(item);
  });

  it('are all listed, because clients delete what is missing', async () => {
    const client = await place.signIn('bob');
    const items = [];
    for (let count = 0; count < 30; count++) items.push(await longBook());
    const list = items.map((libraryItemId) => ({
      libraryItemId,
      currentTime: 10,
      progress: 0.01,
      startedAt: 0,
      finishedAt: 0,
      lastUpdate: clock - (clock % 1_000),
    }));
    await client.done('/api/me/progress/batch/update', {
      method: 'PATCH',
      body: [...list, { libraryItemId: 'unknown' }],
    });
    const { mediaProgress } = await client.read('/api/me', shapes.user);
    expect(mediaProgress.map(({ libraryItemId }) => libraryItemId).toSorted()).toEqual(items.toSorted());
    // An older position from another device changes nothing; a newer one does.
    const [item] = items;
    const update = (currentTime: number, lastUpdate: number) =>
      client.done('/api/me/progress/batch/update', {
        method: 'PATCH',
        body: [{ libraryItemId: item, currentTime, lastUpdate }],
      });
    await update(99, clock - HOUR);
    expect((await client.read(`/api/me/progress/${item}`, shapes.mediaProgress)).currentTime).toBe(10);
    await update(99, clock);
    expect((await client.read(`/api/me/progress/${item}`, shapes.mediaProgress)).currentTime).toBe(99);
  });
});

describe('offline', () => {
  const localAll = (sessions: readonly object[]) =>
    ada.read('/api/session/local-all', shapes.localResults, { body: { sessions, deviceInfo: DEVICE } });

  it('hours count once, as one span, however often they are sent', async () => {
    const item = await longBook();
    clock += 5 * HOUR;
    ada = await place.signIn('ada');
    const session = {
      id: randomUUID(),
      libraryItemId: item,
      currentTime: 1_800.25,
      timeListening: 1_799.5,
      startedAt: clock - HOUR + 0.5,
      updatedAt: clock - 10 * MINUTE + 0.25,
      mediaPlayer: 'exo-player',
      playMethod: 3,
    };
    expect((await localAll([session, session])).results).toMatchObject([
      { success: true, progressSynced: true },
      { success: true },
    ]);
    await ada.done('/api/session/local', { body: session });
    expect(await listenedMs(item)).toBe(1_799_000);
    expect(await progressOf(item)).toMatchObject({ currentTime: 1_800.25, lastUpdate: Math.floor(session.updatedAt) });
    const grown = { ...session, currentTime: 2_100, timeListening: 2_099.5, updatedAt: clock - 5 * MINUTE };
    await localAll([grown, session]);
    expect(await listenedMs(item)).toBe(2_099_000);
    expect((await progressOf(item)).currentTime).toBe(2_100);
    expect((await place.send(`/public/session/${session.id}/track/1`)).status).toBe(404);
  });

  it('sessions of unknown books and foreign sessions fail alone, and a wrong clock does not win', async () => {
    const item = await longBook();
    const bob = await place.signIn('bob');
    const foreign = (await start(item, DEVICE, bob)).id;
    const session = {
      currentTime: 60,
      timeListening: 60,
      startedAt: clock - MINUTE,
      updatedAt: clock + HOUR,
      libraryItemId: item,
    };
    const { results } = await localAll([
      { ...session, id: randomUUID(), libraryItemId: randomUUID() },
      { ...session, id: foreign },
      { ...session, id: 'x' },
      { ...session, id: randomUUID() },
    ]);
    expect(results.map(({ success }) => success)).toEqual([false, false, false, true]);
    expect(results[3]?.progressSynced).toBe(true);
    expect((await progressOf(item)).lastUpdate).toBe(clock);
    clock += 1_000;
    await ada.done(`/api/me/progress/${item}`, { method: 'PATCH', body: { currentTime: 30 } });
    expect((await progressOf(item)).currentTime).toBe(30);
  });
});

it('bookmarks are known by their second', async () => {
  const item = await longBook();
  const path = `/api/me/item/${item}/bookmark`;
  const mark = await ada.read(path, shapes.bookmark, { body: { time: 61.7, title: 'Here' } });
  expect([mark.time, mark.title]).toEqual([61, 'Here']);
  await ada.read(path, shapes.bookmark, { method: 'PATCH', body: { time: 61, title: 'There' } });
  await ada.read(path, shapes.bookmark, { body: { time: 90, title: 'Later' } });
  const own = async () =>
    (await ada.read('/api/me', shapes.user)).bookmarks.filter(({ libraryItemId }) => libraryItemId === item);
  expect((await own()).map(({ time, title }) => [time, title])).toEqual([
    [61, 'There'],
    [90, 'Later'],
  ]);
  await ada.done(`${path}/61`, { method: 'DELETE' });
  expect((await own()).map(({ time }) => time)).toEqual([90]);
});
