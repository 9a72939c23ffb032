import { type CommitRequest, type Engine, openKeyspace, text } from '@holdfast/keyspace';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { Proxy } from '../test/proxy.ts';
import { sharedServer, TestServer } from '../test/server.ts';
import { type PostgresEngine, postgresEngine } from './engine.ts';
import { keysStatement } from './reader.ts';

let server: TestServer;
let proxy: Proxy;
beforeAll(async () => {
  server = await sharedServer();
  proxy = await Proxy.start(server.port);
});
afterAll(() => proxy.close());

const empty: CommitRequest = {
  base: undefined,
  reads: new Map(),
  ranges: [],
  writes: new Map(),
  appends: [],
  additions: [],
};
const addOne: CommitRequest = { ...empty, additions: [{ key: 'n', encoding: 'decimal', amount: 1 }] };
const put = (values: Readonly<Record<string, string>>): CommitRequest => ({
  ...empty,
  writes: new Map(Object.entries(values)),
});

/** Creates a separate database, so that a test may change its tables and settings. */
async function newDatabase(
  name: string,
): Promise<{ readonly address: string; readonly run: (sql: string) => Promise<unknown[][]> }> {
  const database = `${name}_${process.pid}`;
  await server.run(`CREATE DATABASE ${database}`);
  return { address: server.address(database), run: (sql) => server.run(sql, database) };
}

async function open(address: string, space = 'one'): Promise<PostgresEngine> {
  const engine = await postgresEngine({ address, space, patience: { answerMs: 5_000, totalMs: 20_000 } });
  onTestFinished(() => engine.close());
  return engine;
}

describe('a connection that breaks at any byte of a commit', () => {
  it.each(['request', 'answer'] as const)('of the %s makes no commit twice and loses none', async (direction) => {
    const engine = await open(proxy.address, `${process.pid}-bytes-${direction}`);
    await engine.commit(addOne);
    let commits = 1;
    let isInside = true;
    // The step sizes are primes, so that over the rounds the cuts hit every part of a message.
    for (let bytes = 1; isInside && commits < 150; bytes += direction === 'request' ? 13 : 5) {
      proxy.cutAfter = { direction, bytes };
      expect(await engine.commit(addOne)).toEqual({ conflict: false, revision: ++commits });
      // If nothing was cut, the commit needed fewer bytes, and the loop ends.
      isInside = proxy.cutAfter === undefined;
      proxy.cutAfter = undefined;
    }
    expect(commits).toBeGreaterThan(10);
    expect(await engine.get('n')).toBe(String(commits));
    expect((await engine.changes(0, 999)).map(({ revision }) => revision)).toHaveLength(commits);
  });
});

describe('an error of the server', () => {
  /**
   * Makes the next `times` commits fail with `code`. Counts the failures with a sequence, which is not rolled back.
   */
  async function failing(
    name: string,
    code: string,
    times: number,
  ): Promise<{ engine: Engine; readonly stop: () => Promise<unknown> }> {
    const { address, run } = await newDatabase(name);
    const engine = await open(address);
    await engine.commit(addOne);
    await run(`CREATE SEQUENCE failures;
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('failures') <= ${times} THEN RAISE EXCEPTION 'on purpose' USING ERRCODE = '${code}'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER fail BEFORE UPDATE ON holdfast_space FOR EACH ROW EXECUTE FUNCTION fail()`);
    return { engine, stop: () => run('DROP TRIGGER fail ON holdfast_space') };
  }

  it.each([
    ['a deadlock', '40P01'],
    ['a serialisation failure', '40001'],
    ['a lock that was not available', '55P03'],
    ['a read-only server, such as a demoted primary', '25006'],
    ['a cancelled statement', '57014'],
    ['a server that is being stopped', '57P01'],
    ['a server that is starting', '57P03'],
  ])('%s is repeated, and the commit is made once', async (_, code) => {
    const { engine } = await failing(`repeat_${code.toLowerCase()}`, code, 3);
    expect(await engine.commit(addOne)).toEqual({ conflict: false, revision: 2 });
    expect(await engine.get('n')).toBe('2');
  });

  it.each([
    ['a full disk', '53100', 'STORE_FULL'],
    ['an input or output error', '58030', 'STORE_IO'],
    ['damaged data', 'XX001', 'STORE_CORRUPT'],
    ['a missing permission', '42501', 'STORE_PERMISSION'],
  ])('%s fails with a clear code, and the engine goes on afterwards', async (_, code, expected) => {
    const { engine, stop } = await failing(`fail_${code.toLowerCase()}`, code, 1_000);
    await expect(engine.commit(addOne)).rejects.toMatchObject({ code: expected });
    expect(await engine.get('n')).toBe('1');
    await stop();
    expect(await engine.commit(addOne)).toEqual({ conflict: false, revision: 2 });
  });

  it('too many connections is waited for', async () => {
    const role = `limited_${process.pid}`;
    await server.run(`CREATE ROLE ${role} LOGIN SUPERUSER CONNECTION LIMIT 0; ALTER ROLE ${role} NOSUPERUSER`);
    const { address, run } = await newDatabase('limited');
    await (await open(address)).commit(addOne);
    await run(
      `GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}; GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${role}`,
    );
    const opening = open(address.replace('holdfast@', `${role}@`));
    await new Promise((resolve) => setTimeout(resolve, 300));
    await server.run(`ALTER ROLE ${role} CONNECTION LIMIT 20`);
    expect(await (await opening).get('n')).toBe('1');
  });
});

describe('a snapshot', () => {
  it('holds no transaction open, so nothing can end it and old rows can be cleaned up', async () => {
    const { address, run } = await newDatabase('horizon');
    const engine = await open(address);
    await engine.commit(put({ a: '1' }));
    const snapshot = await engine.snapshot();
    expect(await snapshot.get('a')).toBe('1');
    await engine.commit(put({ a: '2' }));
    const held = await run(`SELECT count(*)::int FROM pg_stat_activity
      WHERE application_name LIKE 'holdfast%' AND datname = current_database()
        AND (backend_xmin IS NOT NULL OR xact_start IS NOT NULL)`);
    expect(held).toEqual([[0]]);
    expect(await snapshot.get('a')).toBe('1');
  });

  it('says so when the journal that it needs is gone', async () => {
    const { address, run } = await newDatabase('trimmed');
    const engine = await open(address);
    await engine.commit(put({ a: '1' }));
    const snapshot = await engine.snapshot();
    expect(await snapshot.get('a')).toBe('1');
    await engine.commit(put({ a: '2' }));
    await run('DELETE FROM holdfast_journal');
    await expect(snapshot.get('a')).rejects.toMatchObject({ code: 'JOURNAL_TRIMMED' });
    expect(await (await engine.snapshot()).get('a')).toBe('2');
  });
});

const notes = text('note/{id}');

it('a transaction runs again if the journal that its snapshot needs is gone', async () => {
  const { address, run } = await newDatabase('again');
  const keyspace = await openKeyspace({ engine: await open(address), schema: { notes } });
  const key = { id: '1' };
  await keyspace.transact((tx) => tx.put(notes, key, 'one'));
  let runs = 0;
  const found = await keyspace.transact(async (tx) => {
    runs += 1;
    await tx.get(notes, key);
    if (runs === 1) {
      await keyspace.transact((other) => other.put(notes, { id: '2' }, 'two'));
      await run('DELETE FROM holdfast_journal');
    }
    return tx.get(notes, { id: '2' });
  });
  expect([runs, found]).toEqual([2, 'two']);
});

it('a statement that takes too long fails with a clear code, and the engine goes on afterwards', async () => {
  const { address } = await newDatabase('timeout');
  const first = await open(address);
  const values = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, 'x'.repeat(400)]));
  await first.commit(put(values));
  // Only new connections get the new setting, so this also ends the existing ones.
  const timeOut = async (limit: string): Promise<void> => {
    await server.run(`ALTER DATABASE timeout_${process.pid} SET statement_timeout = '${limit}'`);
    await server.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'timeout_${process.pid}'`);
  };
  const impatient = await postgresEngine({ address, space: 'one', patience: { answerMs: 5_000, totalMs: 500 } });
  onTestFinished(() => impatient.close());
  await timeOut('1ms');
  const all = { gte: 'k', lt: 'l', limit: 9_999, reverse: false };
  await expect(Promise.resolve(impatient.range(all))).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
  await timeOut('0');
  expect(await impatient.range(all)).toHaveLength(5_000);
});

it('revisions beyond 2^31 are exact', async () => {
  const { address, run } = await newDatabase('many');
  const engine = await open(address);
  await engine.commit(addOne);
  await run(`UPDATE holdfast_journal SET revision = ${2 ** 52}; UPDATE holdfast_space SET revision = ${2 ** 52}`);
  for (let n = 1; n <= 3; n++) expect(await engine.commit(addOne)).toEqual({ conflict: false, revision: 2 ** 52 + n });
  expect((await engine.changes(2 ** 52 + 1, 9)).map(({ revision }) => revision)).toEqual([2 ** 52 + 2, 2 ** 52 + 3]);
});

it('keys are looked up in the index, although the database has no statistics of the table yet', async () => {
  const { address } = await newDatabase('plans');
  await open(address);
  const client = new pg.Client(address);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(`SET plan_cache_mode = force_generic_plan; PREPARE keys AS ${keysStatement}`);
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE keys (1, '{a,b}')`);
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(
    /Index Cond: \(\(space = \$1\) AND \(key = wanted\.key\)\)/,
  );
});

describe('the functions of the schema', () => {
  const breakFunctions = `CREATE OR REPLACE FUNCTION holdfast_now() RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint';
    COMMENT ON FUNCTION holdfast_now() IS NULL`;
  const nowOf = async (run: (sql: string) => Promise<unknown[][]>) =>
    Number((await run('SELECT holdfast_now()'))[0]?.[0]);

  it('of an older program are replaced, while that program goes on', async () => {
    const { address, run } = await newDatabase('functions');
    const older = await open(address);
    await older.commit(addOne);
    await run(breakFunctions);
    const newer = await open(address, 'two');
    expect(await nowOf(run)).toBeGreaterThan(1);
    expect(await older.commit(addOne)).toEqual({ conflict: false, revision: 2 });
    expect(await newer.commit(addOne)).toEqual({ conflict: false, revision: 1 });
  });

  it('of a newer program are kept', async () => {
    const { address, run } = await newDatabase('newer_functions');
    await open(address);
    await run(`${breakFunctions}; COMMENT ON FUNCTION holdfast_now() IS '99'`);
    await open(address, 'two');
    expect(await nowOf(run)).toBe(1);
  });

  it('are used as they are without the permission to replace them', async () => {
    const { address, run } = await newDatabase('guests');
    await (await open(address)).commit(addOne);
    const role = `guest_${process.pid}`;
    await run(`CREATE ROLE ${role} LOGIN; GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`);
    await run(`COMMENT ON FUNCTION holdfast_now() IS NULL`);
    const guest = await open(address.replace('holdfast@', `${role}@`));
    expect(await guest.commit(addOne)).toEqual({ conflict: false, revision: 2 });
  });
});

it('three keyspaces of a process share their connections, except for commits', async () => {
  const { address, run } = await newDatabase('shared');
  const engines = await Promise.all(['a', 'b', 'c'].map((space) => open(address, space)));
  const count = async () =>
    (
      await run(`SELECT count(*)::int FROM pg_stat_activity
      WHERE application_name LIKE 'holdfast%' AND datname = current_database()`)
    )[0]?.[0];
  const calls = [0, 0, 0];
  for (const [index, engine] of engines.entries()) engine.onChange(() => (calls[index]! += 1));
  await Promise.all(engines.map((engine) => engine.commit(addOne)));
  await Promise.all(engines.map(async (engine) => engine.get('n')));
  await Promise.all(engines.map(async (engine) => engine.range({ gte: 'a', lt: 'z', limit: 9, reverse: false })));
  expect(await count()).toBeLessThanOrEqual(6);
  await engines[0]!.close();
  expect(await engines[1]!.get('n')).toBe('1');
  await expect(Promise.resolve(engines[0]!.get('n'))).rejects.toMatchObject({ code: 'STORE_CLOSED' });
  // Another process commits to the third keyspace. Only its listener is called.
  const before = [...calls];
  await run(`SELECT pg_notify('holdfast_' || id, '') FROM holdfast_space WHERE name = 'c'`);
  while (calls[2] === before[2]) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(calls[0]).toBe(before[0]);
  await Promise.all(engines.map((engine) => engine.close()));
  while ((await count()) !== 0) await new Promise((resolve) => setTimeout(resolve, 5));
});
