import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { TestServer } from '@holdfast/postgres/test-server';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { dataOf, run, temporaryHome } from '../../test/command.ts';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.stop());

function np(home: string, ...args: string[]): string {
  const env = { ...process.env, HOLDFAST_HOME: home };
  const program = resolve(import.meta.dirname, '../../../../dist/bin/np');
  return spawnSync(program, args, { env, cwd: home, encoding: 'utf8' }).stdout;
}

it('np works on after its database moved to PostgreSQL, and after it moved back; keys are the same byte for byte', () => {
  const home = temporaryHome();
  np(home, 's');
  np(home, 'g', 's', '-t', 'Ship it 🚢', '-d', "it's due");
  for (const title of ['one', 'two', 'three']) np(home, 't', 'a', '-t', title, '-d', 'x');
  const keys = run(home, 'keys', 'np', '--json', '--limit', '0').stdout;
  const changes = run(home, 'changes', 'np', '--json', '--since', '0').stdout;
  expect(keys.length).toBeGreaterThan(1_000);

  const there = dataOf(home, 'move', 'np', '--to', server.address()) as Record<string, unknown>;
  expect(there).toMatchObject({ database: 'np', moved: true, from: join(home, 'np.db') });
  expect(run(home, 'keys', 'np', '--json', '--limit', '0').stdout).toBe(keys);
  expect(run(home, 'changes', 'np', '--json', '--since', '0').stdout).toBe(changes);
  expect(run(home, 'verify', 'np').code).toBe(0);
  expect(dataOf(home, 'move', 'np', '--to', server.address())).toMatchObject({ moved: false });
  const left = run(home, 'restore', join(home, 'np.db'), '--at', '1');
  expect(left.stderr).toContain('STORE_MOVED');
  expect(statSync(join(home, 'stores.json')).mode & 0o777).toBe(0o600);

  const back = dataOf(home, 'move', 'np', '--to', 'sqlite') as Record<string, unknown>;
  expect(back).toMatchObject({ keys: there['keys'], sha256: there['sha256'], revision: there['revision'] });
  expect(run(home, 'keys', 'np', '--json', '--limit', '0').stdout).toBe(keys);
  expect(run(home, 'changes', 'np', '--json', '--since', '0').stdout).toBe(changes);
  np(home, 't', 'a', '-t', 'four', '-d', 'x');
  expect(np(home, 't')).toContain('four');
});

it('says what is wrong with a move, and never shows a password', () => {
  const home = temporaryHome();
  np(home, 's');
  const secret = server.address().replace('holdfast@', 'holdfast:geheim@');
  const refused = run(home, 'move', 'np', '--to', secret, '--json');
  expect(refused.stderr + refused.stdout).toContain('MOVE_IMPOSSIBLE');
  expect(refused.stderr + refused.stdout).not.toContain('geheim');
  for (const args of [
    ['codex', '--to', server.address()],
    ['np', '--to', 'mysql://x'],
  ]) {
    expect(run(home, 'move', ...args).stderr).toContain('MOVE_IMPOSSIBLE');
  }
  expect(run(home, 'move', 'np').code).toBe(2);
  expect(dataOf(home, 'move', 'np', '--cancel')).toEqual({ database: 'np', cancelled: false });
  expect(readFileSync(join(home, 'np.db')).length).toBeGreaterThan(0);
});
