import { spawn } from 'node:child_process';
import { chownSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import type { CommitRequest } from '@holdfast/keyspace';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';

import { programPath } from '../../../scripts/provision/locate.mjs';
import { TestServer } from '../test/server.ts';
import { postgresEngine } from './engine.ts';

const addOne: CommitRequest = {
  base: undefined,
  reads: new Map(),
  ranges: [],
  writes: new Map(),
  appends: [],
  additions: [{ key: 'n', encoding: 'decimal', amount: 1 }],
};

describe('after a failover', () => {
  it('the old primary is never used again, although it accepts commits', async () => {
    const primary = await TestServer.start();
    onTestFinished(() => primary.stop());
    const standby = await TestServer.standbyOf(primary);
    onTestFinished(() => standby.stop());
    const only = { address: standby.address(), space: 'np', patience: { totalMs: 1 } };
    await expect(postgresEngine(only)).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
    const both = `postgres://holdfast@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`;
    const engine = await postgresEngine({ address: both, space: 'np', patience: { totalMs: 6_000 } });
    onTestFinished(() => engine.close());
    expect(await engine.commit(addOne)).toEqual({ conflict: false, revision: 1 });
    await until(async () => (await standby.run('SELECT revision::int FROM holdfast_space'))[0]?.[0] === 1);
    await standby.run('SELECT pg_promote()');
    await until(async () => (await standby.run('SELECT pg_is_in_recovery()'))[0]?.[0] === false);
    // The engine still has connections to the old primary; they end as they would in a failover.
    await primary.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'holdfast%'`);
    for (let round = 2; round <= 5; round++) {
      expect(await engine.commit(addOne)).toEqual({ conflict: false, revision: round });
      await standby.run(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'holdfast%'`,
      );
      expect(await engine.get('n')).toBe(String(round));
    }
    expect((await primary.run('SELECT revision::int FROM holdfast_space'))[0]).toEqual([1]);
    // Now only the old primary answers. Its commits would be lost, so the engine must not write to it.
    await standby.stop();
    const short = await postgresEngine({ address: primary.address(), space: 'np' });
    expect(await short.get('n')).toBe('1');
    await short.close();
    const late = engine.commit(addOne).catch((error: unknown) => (error as { code: string }).code);
    expect(await Promise.race([late, pause(3_000).then(() => 'waits')])).toBe('waits');
    expect((await primary.run('SELECT revision::int FROM holdfast_space'))[0]).toEqual([1]);
    await primary.stop();
    expect(['STORE_UNREACHABLE', 'STORE_IN_DOUBT']).toContain(await late);
  });
});

describe('a primary that was frozen and replaced', () => {
  it('gives no stale answer when it goes on, not even to a process that only reads', async () => {
    const primary = await TestServer.start();
    onTestFinished(() => primary.stop());
    const standby = await TestServer.standbyOf(primary);
    onTestFinished(() => standby.stop());
    const address = `postgres://holdfast@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`;
    const patience = { totalMs: 60_000, connectMs: 1_000, silenceMs: 500 };
    const reader = await postgresEngine({ address, space: 'np', patience });
    onTestFinished(() => reader.close());
    await reader.commit(addOne);
    expect(await reader.getMany(['n'])).toEqual(['1']);
    await until(async () => (await standby.run('SELECT revision::int FROM holdfast_space'))[0]?.[0] === 1);
    primary.signal('SIGSTOP');
    await pause(patience.connectMs + patience.silenceMs);
    await standby.run('SELECT pg_promote()');
    const writer = await postgresEngine({ address: standby.address(), space: 'np' });
    onTestFinished(() => writer.close());
    expect(await writer.commit(addOne)).toEqual({ conflict: false, revision: 2 });
    const reading = Promise.all([reader.get('n'), pause(50).then(() => reader.get('n'))]);
    primary.signal('SIGCONT');
    expect(await reading).toEqual(['2', '2']);
    // This commit changes nothing, so the server would not wait for a standby.
    expect(await reader.commit({ ...addOne, additions: [] })).toEqual({ conflict: false, revision: 2 });
  });
});

it('a primary that is asked while it is frozen, and answers after a failover, is not used', async () => {
  const primary = await TestServer.start();
  onTestFinished(() => primary.stop());
  const standby = await TestServer.standbyOf(primary);
  onTestFinished(() => standby.stop());
  const address = `postgres://holdfast@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`;
  const patience = { totalMs: 60_000, answerMs: 300, connectMs: 30_000, silenceMs: 300 };
  const reader = await postgresEngine({ address, space: 'np', patience });
  onTestFinished(() => reader.close());
  await reader.commit(addOne);
  expect(await reader.get('n')).toBe('1');
  await until(async () => (await standby.run('SELECT revision::int FROM holdfast_space'))[0]?.[0] === 1);
  primary.signal('SIGSTOP');
  const reading = reader.get('n');
  // The answer takes too long, and the reader asks both servers. The standby says that it is one.
  await pause(3_000);
  await standby.run('SELECT pg_promote()');
  const writer = await postgresEngine({ address: standby.address(), space: 'np' });
  onTestFinished(() => writer.close());
  expect(await writer.commit(addOne)).toEqual({ conflict: false, revision: 2 });
  primary.signal('SIGCONT');
  expect(await reading).toBe('2');
});

/** Uses every part of the engine once; returns the counter's value. */
async function sample(address: string): Promise<unknown> {
  const engines = await Promise.all([1, 2].map(() => postgresEngine({ address, space: 'sample' })));
  let calls = 0;
  const stop = engines[0]!.onChange(() => (calls += 1));
  await Promise.all(Array.from({ length: 60 }, (_, index) => engines[index % 2]!.commit(addOne)));
  const snapshot = await engines[0]!.snapshot();
  expect(await snapshot.get('n')).toBe('60');
  const before = calls;
  expect(await engines[1]!.commit(addOne)).toEqual({ conflict: false, revision: 61 });
  expect(await snapshot.range({ gte: '', lt: 'z', limit: 9, reverse: false })).toEqual([['n', '60']]);
  await until(() => Promise.resolve(calls > before));
  expect((await engines[0]!.changes(0, 100)).map(({ revision }) => revision)).toHaveLength(61);
  stop();
  const value = await engines[0]!.get('n');
  await Promise.all(engines.map((engine) => engine.close()));
  return value;
}

describe('the engine also works', () => {
  it('on PostgreSQL 18', async () => {
    const server = await TestServer.start([], dirname(programPath('postgres18')));
    onTestFinished(() => server.stop());
    expect(String((await server.run('SHOW server_version'))[0]?.[0])).toMatch(/^18/);
    expect(await sample(server.address())).toBe('61');
  });

  it('behind PgBouncer, which gives each transaction another server connection', async () => {
    const server = await TestServer.start();
    onTestFinished(() => server.stop());
    expect(await sample(await startPooler(server.port, 'default_pool_size = 3'))).toBe('61');
  });

  it('behind PgBouncer, which gives up waiting for a server connection', async () => {
    const server = await TestServer.start();
    onTestFinished(() => server.stop());
    const address = await startPooler(server.port, 'default_pool_size = 1\nquery_wait_timeout = 1');
    const engine = await postgresEngine({ address, space: 'one', patience: { totalMs: 30_000 } });
    onTestFinished(() => engine.close());
    await engine.commit(addOne);
    const other = new pg.Client({ connectionString: address });
    onTestFinished(() => other.end());
    await other.connect();
    await other.query('BEGIN');
    const read = engine.get('n');
    const committed = engine.commit(addOne);
    // Longer than query_wait_timeout: PgBouncer ends the waiting connections.
    await pause(2_500);
    await other.query('COMMIT');
    expect(['1', '2']).toContain(await read);
    expect(await committed).toEqual({ conflict: false, revision: 2 });
  });
});

it('a full queue of notifications fails no commit, and watchers see the commit at their next poll', async () => {
  const server = await TestServer.start(['max_notify_queue_pages=64'], dirname(programPath('postgres18')));
  onTestFinished(() => server.stop());
  const options = { address: server.address(), space: 'one' };
  const [engine, watcher] = [await postgresEngine(options), await postgresEngine(options)];
  onTestFinished(async () => void (await Promise.all([engine.close(), watcher.close()])));
  const listener = new pg.Client({ connectionString: server.address() });
  onTestFinished(() => listener.end());
  await listener.connect();
  // A listener in an open transaction keeps all notifications in the queue.
  await listener.query('LISTEN everything');
  await listener.query('BEGIN');
  await expect(
    server.run(
      `DO $$ BEGIN FOR n IN 1..900 LOOP PERFORM pg_notify('everything', n || repeat('x', 7000)); END LOOP; END $$`,
    ),
  ).rejects.toThrow('too many notifications');
  let calls = 0;
  onTestFinished(watcher.onChange(() => (calls += 1)));
  await pause(1_500);
  const before = calls;
  expect(await engine.commit(addOne)).toEqual({ conflict: false, revision: 1 });
  await until(() => Promise.resolve(calls > before));
});

/** Starts PgBouncer in front of the server at `port`; returns its address. */
async function startPooler(port: number, settings: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-pgbouncer-'));
  const probe = createServer();
  const own = await new Promise<number>((resolve) =>
    probe.listen(0, '127.0.0.1', () => resolve((probe.address() as { port: number }).port)),
  );
  await new Promise((resolve) => probe.close(resolve));
  writeFileSync(join(folder, 'users'), '"holdfast" ""\n');
  writeFileSync(
    join(folder, 'ini'),
    `[databases]\npostgres = host=127.0.0.1 port=${port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\n` +
      `listen_port = ${own}\nunix_socket_dir =\nauth_type = trust\nauth_file = ${folder}/users\n` +
      `pool_mode = transaction\nignore_startup_parameters = extra_float_digits\n${settings}\n`,
  );
  const isRoot = process.getuid?.() === 0;
  for (const path of isRoot ? [folder, join(folder, 'users'), join(folder, 'ini')] : []) {
    chownSync(path, 65_534, 65_534);
  }
  const pooler = spawn('pgbouncer', [join(folder, 'ini')], { stdio: 'ignore', ...(isRoot ? { uid: 65_534 } : {}) });
  onTestFinished(() => void pooler.kill('SIGTERM'));
  return `postgres://holdfast@127.0.0.1:${own}/postgres`;
}

async function pause(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('It did not happen within a minute');
    await pause(50);
  }
}
