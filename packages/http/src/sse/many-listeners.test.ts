import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { MEBIBYTE, SECOND } from '@holdfast/base';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { eventually, RawClient } from '../../test/raw-client.ts';

interface State {
  readonly bytes: number;
  /** CPU time of the server, which does not depend on other load on the machine. */
  readonly workedMs: number;
  readonly listeners: number;
  readonly port: number;
}

const LISTENERS = 1_000;

let child: ChildProcess;
let atStart: State;
beforeAll(async () => {
  child = fork(fileURLToPath(new URL('../../test/listeners-server.ts', import.meta.url)), {
    execArgv: ['--conditions=holdfast-source', '--import', 'tsx'],
  });
  [atStart] = (await once(child, 'message')) as [State];
});
afterAll(() => child.kill());

async function ask(message: string): Promise<State> {
  const answer = once(child, 'message');
  child.send(message);
  const [state] = (await answer) as [State];
  return state;
}

it('a thousand idle listeners cost less than 100 MB, and an event for all of them less than a second of work', async () => {
  const clients = Array.from({ length: LISTENERS }, () => new RawClient(atStart.port));
  for (const client of clients) client.send(`GET /events HTTP/1.1\nHost: 127.0.0.1:${atStart.port}\n\n`);
  await eventually(() => clients.every(({ received }) => received.includes('id: 0')), 'all listen');
  const idle = await ask('state');
  expect(idle.listeners).toBe(LISTENERS);
  expect(idle.bytes - atStart.bytes).toBeLessThan(100 * MEBIBYTE);
  await ask('add');
  await eventually(() => clients.every(({ received }) => received.includes('id: 1\n')), 'all get it');
  expect((await ask('state')).workedMs - idle.workedMs).toBeLessThan(SECOND);
  for (const client of clients) client.destroy();
});
