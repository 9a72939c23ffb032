import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { engineOn, Keyspace, text } from '@holdfast/keyspace';
import { openDatabase } from '@holdfast/sqlite';
import { beforeEach, expect, it } from 'vitest';

import { ask, ORIGIN, openTestHub, tokenHeaders } from '../../test/hub.ts';
import type { Hub } from '../hub.ts';

const note = text('note/{id}');

let hub: Hub;
let headers: Headers;

beforeEach(async () => {
  hub = await openTestHub();
  headers = await tokenHeaders(hub, 'admin');
});

/** Writes to np's database, as another program would. */
async function writeNotes(values: Readonly<Record<string, string>>): Promise<void> {
  const database = await openDatabase({ path: join(hub.databases.home, 'np.db'), kind: 'keyspace' });
  const keyspace = new Keyspace(engineOn(database), { note });
  for (const [id, value] of Object.entries(values)) await keyspace.transact((tx) => tx.put(note, { id }, value));
  await database.close();
}

const get = async (path: string) => (await (await ask(hub, path, { headers })).json()) as never;
const post = (path: string, body?: unknown) => ask(hub, path, { method: 'POST', headers, body: body ?? {} });

it('lists the databases there are, also one that appears later', async () => {
  const names = async () =>
    ((await get('/api/system/databases')) as { data: { name: string }[] }).data.map(({ name }) => name);
  expect(await names()).toEqual(['accounts']);
  await writeNotes({ a: '1' });
  expect(await names()).toEqual(['np', 'accounts']);
});

it('names a process whose read transaction lets the log of a database grow', async () => {
  const path = join(hub.databases.home, 'np.db');
  const database = await openDatabase({ path, kind: 'keyspace' });
  const keyspace = new Keyspace(engineOn(database), { note });
  await keyspace.transact((tx) => tx.put(note, { id: 'a' }, '1'));
  const state = async () =>
    ((await get('/api/system/databases')) as { data: { long_readers: unknown }[] }).data[0]!.long_readers;
  expect(await state()).toBeNull();
  const snapshot = database.snapshot();
  await database.write(({ connection }) =>
    connection.run("INSERT INTO keyspace VALUES ('note/long', zeroblob(30000000))"),
  );
  expect(await state()).toMatchObject({ processes: [{ pid: process.pid }] });
  snapshot.release();
  expect(await state()).toBeNull();
  await database.close();
});

it('browses keys by prefix and page, and never shows the hash of a secret', async () => {
  await writeNotes({ a: '1', b: '2', c: '3' });
  const page = await get('/api/system/databases/np/keys?prefix=note/&limit=2');
  expect(page).toEqual({
    data: [
      { key: 'note/a', value: '1', encoding: 'text' },
      { key: 'note/b', value: '2', encoding: 'text' },
    ],
    next_cursor: 'note/b',
  });
  expect(await get('/api/system/databases/np/keys?prefix=note/&after=note/b')).toMatchObject({
    data: [{ key: 'note/c' }],
    next_cursor: null,
  });
  await hub.accounts.createUser({ username: 'eve', password: 'a fine long password', roles: ['user'] });
  const all = JSON.stringify(await get('/api/system/databases/accounts/keys?limit=500'));
  const commits = JSON.stringify(await get('/api/system/databases/accounts/commits?limit=100'));
  expect(all).toContain('ua:');
  expect(all + commits).not.toContain('$argon2');
  expect(all + commits).not.toMatch(/"token_hash/);
});

it('omits keys that contain the hash of a secret, page by page too', async () => {
  await hub.accounts.createUser({ username: 'eve', password: 'a fine long password', roles: ['user'] });
  await hub.accounts.login({ name: 'eve', password: 'a fine long password' });
  const keys: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const after: string = cursor === '' ? '' : `&after=${encodeURIComponent(cursor)}`;
    const page = (await get(`/api/system/databases/accounts/keys?limit=1${after}`)) as {
      data: { key: string }[];
      next_cursor: string | null;
    };
    keys.push(...page.data.map(({ key }) => key), page.next_cursor ?? '');
    cursor = page.next_cursor;
  }
  const commits = JSON.stringify(await get('/api/system/databases/accounts/commits?limit=100'));
  expect(keys.join()).toContain('idx:dev:user:');
  expect(keys.join() + commits).not.toMatch(/hash:[0-9a-f]/);
});

it('shows commits, newest first, and goes back to one of them and forward again', async () => {
  await writeNotes({ a: '1', b: '2' });
  const { data } = (await get('/api/system/databases/np/commits')) as {
    data: { revision: number; changes: unknown[] }[];
  };
  expect(data.map(({ revision }) => revision)).toEqual([2, 1]);
  expect(data[0]?.changes).toEqual([{ key: 'note/b', operation: 'insert', before: null, after: '2' }]);
  const restored = (await (await post('/api/system/databases/np/restore', { revision: 1 })).json()) as {
    undo_with: number;
  };
  expect(restored).toEqual({ revision: 3, changed: 1, undo_with: 2 });
  expect(await get('/api/system/databases/np/keys')).toMatchObject({ data: [{ key: 'note/a' }] });
  await post('/api/system/databases/np/restore', { revision: restored.undo_with });
  expect(((await get('/api/system/databases/np/keys')) as { data: unknown[] }).data).toHaveLength(2);
});

it('makes and lists backups', async () => {
  await writeNotes({ a: '1' });
  const made = await post('/api/system/databases/np/backups');
  expect(made.status).toBe(201);
  // An interrupted backup leaves an empty manifest, which the list must skip.
  writeFileSync(join(hub.databases.home, 'backups/np/np-cut.db.json'), '');
  expect(await get('/api/system/databases/np/backups')).toMatchObject({ data: [{ revision: 1 }] });
});

it('answers a wrong name, a wrong revision and a wrong page with a problem that says so', async () => {
  for (const [path, status, code] of [
    ['/api/system/databases/nope/keys', 422, 'VALIDATION_FAILED'],
    ['/api/system/databases/codex/keys', 404, 'STORE_NOT_FOUND'],
    ['/api/system/databases/accounts/keys?limit=0', 422, 'VALIDATION_FAILED'],
  ] as const) {
    const response = await ask(hub, path, { headers });
    expect([path, response.status, ((await response.json()) as { code: string }).code]).toEqual([path, status, code]);
  }
  const far = await post('/api/system/databases/accounts/restore', { revision: 999 });
  expect(((await far.json()) as { code: string }).code).toBe('RESTORE_POINT_UNKNOWN');
});

it('streams the commits of all databases, and goes on from where a listener was', async () => {
  await writeNotes({ a: '1' });
  const start = await listen(undefined, 0);
  await writeNotes({ b: '2', c: '3' });
  const heard = await listen(start.lastId, 2);
  expect(heard.commits).toMatchObject([
    { database: 'np', revision: 2, changes: [{ key: 'note/b' }] },
    { database: 'np', revision: 3 },
  ]);
  const again = await listen(start.lastId, 1);
  expect(again.commits[0]).toMatchObject({ revision: 2 });
});

it('streams new commits to a listener that comes from a server with more commits', async () => {
  await writeNotes({ a: '1' });
  const start = await listen(undefined, 0);
  const ahead = start.lastId.replace(/np\.\d+/u, 'np.999');
  const heard = listen(ahead, 1);
  await writing(heard);
  expect((await heard).commits[0]).toMatchObject({ database: 'np' });
});

/** Writes until the listener has received something: it may not be listening yet when the first commit is made. */
async function writing(heard: Promise<unknown>): Promise<void> {
  let isHeard = false;
  void heard.then(() => (isHeard = true));
  await expect
    .poll(async () => {
      await writeNotes({ a: String(Math.random()) });
      return isHeard;
    })
    .toBe(true);
}

/** Reads the stream until `count` commits have arrived. */
async function listen(since: string | undefined, count: number): Promise<{ lastId: string; commits: unknown[] }> {
  const stop = new AbortController();
  const response = await hub.server.request(`${ORIGIN}/api/system/activity`, {
    headers: { ...Object.fromEntries(headers), ...(since === undefined ? {} : { 'last-event-id': since }) },
    signal: stop.signal,
  });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let seen = '';
  let lastId = '';
  const commits: unknown[] = [];
  while (commits.length < count || lastId === '') {
    const { value, done } = await reader.read();
    if (done) break;
    seen += Buffer.from(value).toString('utf8');
    const frames = seen.split('\n\n');
    seen = frames.pop() ?? '';
    for (const frame of frames) {
      lastId = /^id: (.*)$/m.exec(frame)?.[1] ?? lastId;
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      const commit = data === undefined ? undefined : (JSON.parse(data) as { database: string });
      // Ignores commits to the accounts, which record when the token was last used.
      if (commit?.database === 'np') commits.push(commit);
    }
  }
  await reader.cancel();
  stop.abort();
  return { lastId, commits };
}
