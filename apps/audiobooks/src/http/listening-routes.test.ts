import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Served, serve } from '../../test/served.ts';

let place: Served;
let ids: Readonly<Record<string, string>>;
/** A tenth of each book's duration. */
let part: Readonly<Record<string, number>>;

beforeAll(async () => {
  place = await serve({
    main: {
      'Jane Austen/Emma/01.mp3': { album: 'Emma', artist: 'Jane Austen', genre: 'Classic' },
      'Jane Austen/Emma/02.mp3': { album: 'Emma', artist: 'Jane Austen', genre: 'Classic' },
      'Frank Herbert/Dune/Dune.m4b': { album: 'Dune', artist: 'Frank Herbert' },
    },
  });
  const { data } = await place.get<{ data: readonly { id: string; title: string; duration_ms: number }[] }>('/books');
  ids = Object.fromEntries(data.map(({ id, title }) => [title, id]));
  part = Object.fromEntries(data.map(({ title, duration_ms: length }) => [title, Math.floor(length / 10)]));
});
afterAll(() => place.close());

const send = (path: string, method: string, body?: unknown, headers: Record<string, string> = {}) =>
  place.ask(path, { method, body, headers });
const manage = (path: string, body?: unknown) => place.ask(path, { method: 'POST', body, as: 'owner' });

const event = (number: number, more: object = {}) => ({
  event_id: `e${number}`,
  book_id: ids['Emma'],
  event_type: 'progress',
  position_ms: part['Emma']! * number,
  occurred_at: new Date(Date.UTC(2026, 0, 1, 12, 0, number)).toISOString(),
  play_speed: 1,
  device_id: 'phone',
  session_id: 's1',
  ...more,
});

describe('listening', () => {
  it('takes events in once and tells the place, which a write may insist on', async () => {
    const events = [event(1), event(2), event(3, { book_id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' })];
    const first = await send('/playback', 'POST', { events });
    expect(first.status).toBe(200);
    expect(await first.json()).toMatchObject({
      accepted: 2,
      duplicates: 0,
      refused: [{ event_id: 'e3', code: 'BOOK_NOT_FOUND' }],
      progress: [{ book_id: ids['Emma'], position_ms: 2 * part['Emma']!, finished: false, device_id: 'phone' }],
    });
    expect(await (await send('/playback', 'POST', { events })).json()).toMatchObject({ accepted: 0, duplicates: 2 });
    const shown = await place.ask(`/progress/${ids['Emma']}`);
    const etag = shown.headers.get('etag') ?? '';
    const done = await send(`/progress/${ids['Emma']}`, 'PUT', { finished: true }, { 'if-match': etag });
    expect(await done.json()).toMatchObject({ finished: true, completions: 1, position_ms: 2 * part['Emma']! });
    const late = await send(`/progress/${ids['Emma']}`, 'PUT', { finished: false }, { 'if-match': etag });
    expect(late.status).toBe(412);
    expect(await place.get('/progress')).toMatchObject({ data: [{ book_id: ids['Emma'] }] });
    expect((await place.ask(`/progress/${ids['Emma']}`, { method: 'DELETE' })).status).toBe(204);
    expect(await place.get(`/progress/${ids['Emma']}`)).toBeNull();
    expect(await place.get(`/progress/${ids['Emma']}/jumps`)).toMatchObject({
      data: [{ reason: 'reset', position_ms: 2 * part['Emma']! }],
    });
  });

  it('keeps bookmarks and preferences', async () => {
    const made = await send(`/books/${ids['Dune']}/bookmarks`, 'POST', { position_ms: 700, note: 'here' });
    expect(made.status).toBe(201);
    const { id } = (await made.json()) as { id: string };
    await send(`/bookmarks/${id}`, 'PATCH', { note: 'there' });
    expect(await place.get(`/books/${ids['Dune']}/bookmarks`)).toMatchObject({ data: [{ id, note: 'there' }] });
    expect((await place.ask(`/bookmarks/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await place.ask(`/bookmarks/${id}`, { method: 'DELETE' })).status).toBe(404);
    const books = { [ids['Dune']!]: { speed: 1.5 } };
    await send('/preferences', 'PUT', { speed: 1.25, books });
    expect(await place.get('/preferences')).toMatchObject({ speed: 1.25, sleep_minutes: 30, books });
    expect((await send('/preferences', 'PUT', { speed: 9 })).status).toBe(422);
  });

  it('counts for a device of any name', async () => {
    const reports = ['constructor', '__proto__', 'hasOwnProperty'].flatMap((device_id, hour) =>
      [0, 30].map((second) => ({
        ...event(1, { device_id, session_id: device_id, event_id: `${device_id}-${second}` }),
        position_ms: 1_000 * second,
        occurred_at: new Date(Date.UTC(2025, 5, 1, 12 + hour, 0, second)).toISOString(),
      })),
    );
    for (const report of reports) {
      expect(await (await send('/playback', 'POST', { events: [report] })).json()).toMatchObject({ accepted: 1 });
      expect((await place.ask('/stats?from=2025-06-01&to=2025-06-01')).status).toBe(200);
    }
    const stats = await place.get('/stats?from=2025-06-01&to=2025-06-01');
    expect((stats as { listen_seconds: number }).listen_seconds).toBeGreaterThan(0);
    expect((await manage('/stats/rebuild')).status).toBeLessThan(300);
    expect(await place.get('/stats?from=2025-06-01&to=2025-06-01')).toEqual(stats);
  });

  it('shows shelves, statistics and the year, and counts them again for those who manage', async () => {
    const events = Array.from({ length: 5 }, (_, number) =>
      event(number, { event_id: `d${number}`, book_id: ids['Dune'], position_ms: number * part['Dune']! }),
    );
    await send('/playback', 'POST', { events });
    expect(await place.get('/shelves')).toMatchObject({
      continue: [{ title: 'Dune', progress: { position_ms: 4 * part['Dune']! } }],
      recently_added: [{}, {}],
    });
    const stats = await place.get('/stats?from=2026-01-01&to=2026-01-01');
    expect(stats).toMatchObject({ listen_seconds: 4, authors: [{ name: 'Frank Herbert', seconds: 4 }, {}] });
    expect(await place.get('/stats/year/2026')).toMatchObject({ streak_days: 1, longest_day: { date: '2026-01-01' } });
    const east = '?time_zone=Pacific/Kiritimati';
    expect(await place.get(`/stats/year/2026${east}`)).toMatchObject({ longest_day: { date: '2026-01-02' } });
    expect(await place.get(`/stats${east}&from=2026-01-02&to=2026-01-02`)).toMatchObject({ listen_seconds: 4 });
    expect((await place.ask('/stats?time_zone=Mars/Olympus')).status).toBe(400);
    expect((await send('/stats/rebuild', 'POST')).status).toBe(403);
    expect((await manage('/stats/rebuild')).status).toBe(200);
    expect(await place.get('/stats?from=2026-01-01&to=2026-01-01')).toEqual(stats);
    expect(await (await manage('/playback/prune', { keep_days: 0 })).json()).toMatchObject({ users: 1 });
    expect(await place.get('/stats?from=2026-01-01&to=2026-01-01')).toEqual(stats);
  });

  it('has playlists in an order, and smart ones', async () => {
    const made = await send('/playlists', 'POST', { name: 'Both' });
    const { id } = (await made.json()) as { id: string };
    await send(`/playlists/${id}/items`, 'POST', { books: [ids['Emma'], ids['Dune']] });
    const again = await send(`/playlists/${id}/items`, 'POST', { books: [ids['Dune']] });
    expect(await again.json()).toMatchObject({ items: [{ title: 'Dune', position: null }] });
    expect(await place.get(`/playlists?book=${ids['Emma']}`)).toMatchObject({
      data: [{ name: 'Both', has_book: true }],
    });
    const titles = async () =>
      (await place.get<{ items: { data: { book: { title: string } }[] } }>(`/playlists/${id}`)).items.data;
    await send(`/playlists/${id}/items/${ids['Dune']}`, 'PUT', { before: ids['Emma'] });
    expect((await titles()).map(({ book }) => book.title)).toEqual(['Dune', 'Emma']);
    const query = { all: [{ field: 'genre', op: 'is', value: 'classic' }] };
    const smart = await send('/playlists', 'POST', { name: 'Old', query });
    const { id: question } = (await smart.json()) as { id: string };
    expect(await place.get(`/playlists/${question}`)).toMatchObject({ items: { data: [{ book: { title: 'Emma' } }] } });
    await place.ask(`/playlists/${id}/items?books=${ids['Emma']}`, { method: 'DELETE' });
    expect(await place.get(`/playlists?book=${ids['Emma']}`)).toMatchObject({
      data: [{ has_book: false }, { has_book: false }],
    });
    const both = { all: [], any: [] };
    expect((await send('/playlists', 'POST', { name: 'None', query: both })).status).toBe(400);
    expect(await place.get('/playlists')).toMatchObject({ data: [{ name: 'Both' }, { name: 'Old' }] });
    expect((await place.ask(`/playlists/${id}`, { method: 'DELETE' })).status).toBe(204);
  });
});
