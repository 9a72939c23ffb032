import { afterAll, beforeAll, expect, it } from 'vitest';

import { TestServer } from '../test/server.ts';
import { type PostgresEngine, postgresEngine } from './engine.ts';

let primary: TestServer;
let standby: TestServer;
let engine: PostgresEngine;

beforeAll(async () => {
  primary = await TestServer.start();
  engine = await postgresEngine({ address: primary.address(), space: 'np' });
  standby = await TestServer.standbyOf(primary);
});
afterAll(async () => {
  await engine.close();
  await standby.stop();
  await primary.stop();
});

const kinds = async () => (await engine.replicationProblems()).map(({ kind }) => kind);

it('a standby that stops replaying lags, and then catches up', async () => {
  expect(await kinds()).toEqual([]);
  await standby.run('SELECT pg_wal_replay_pause()');
  for (let segment = 0; segment < 5; segment++) {
    await primary.run('CREATE TABLE filled (n int); DROP TABLE filled; SELECT pg_switch_wal()');
  }
  expect(await kinds()).toEqual(['lagging']);
  await standby.run('SELECT pg_wal_replay_resume()');
  await expect.poll(kinds).toEqual([]);
});

it('a server that must wait for a standby says when none is connected', async () => {
  await primary.run(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
  await primary.run('SELECT pg_reload_conf()');
  await expect.poll(() => primary.run('SHOW synchronous_standby_names')).toEqual([['*']]);
  await expect.poll(kinds).toEqual([]);
  await standby.stop();
  await expect.poll(kinds).toEqual(['waiting']);
});
