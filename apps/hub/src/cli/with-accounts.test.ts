import { join } from 'node:path';

import { sqliteEngine } from '@holdfast/keyspace';
import { openAccountsKeyspace } from '@holdfast/accounts';
import { createLogger } from '@holdfast/http';
import { expect, it } from 'vitest';

import { ask, openTestHub, temporaryHome, tokenHeaders } from '../../test/hub.ts';
import { withAccounts } from './with-accounts.ts';

it('a command and the server leave out a damaged user and name it', async () => {
  const home = temporaryHome();
  const logged: string[] = [];
  const logger = createLogger({ level: 'warn', destination: { write: (line) => void logged.push(line) } });
  const hub = await openTestHub({ home, logger });
  const headers = await tokenHeaders(hub, 'admin');
  const { id } = await hub.accounts.createUser({ username: 'damaged' });
  const keyspace = await openAccountsKeyspace(await sqliteEngine({ path: join(home, 'accounts.db') }));
  await keyspace.transact(async (transaction) => transaction.writeKey(`u:${id}`, '{'));
  await keyspace.close();
  const notes: string[] = [];
  const context = {
    env: { HOLDFAST_HOME: home },
    note: (...text: readonly unknown[]) => void notes.push(text.join('')),
  };
  const { items } = await withAccounts(context, (accounts) => accounts.listUsers());
  expect(items.map(({ username }) => username)).not.toContain('damaged');
  expect(notes).toEqual([
    `Skipped: the value under u:${id} is damaged. 'holdfast verify accounts --repair' restores it.`,
  ]);
  for (let round = 0; round < 2; round++) {
    const answer = await ask(hub, '/api/users', { headers });
    expect([answer.status, (await answer.text()).includes('owner')]).toEqual([200, true]);
  }
  expect(logged.filter((line) => line.includes(`u:${id}`))).toHaveLength(1);
});
