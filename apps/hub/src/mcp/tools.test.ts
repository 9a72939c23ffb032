import { expect, it } from 'vitest';

import { openTestHub } from '../../test/hub.ts';
import { tools } from './tools.ts';

it('agents list databases, keys and commits, and make backups', async () => {
  const hub = await openTestHub();
  await hub.accounts.ensureOwner({ username: 'owner' });
  const all = tools(hub.databases, { name: 'agent' });
  const call = async (name: string, input: Readonly<Record<string, unknown>>): Promise<unknown> =>
    JSON.parse((await all.find((tool) => tool.name === name)?.call(input)) ?? 'null');
  expect(await call('databases', {})).toMatchObject({ data: [{ name: 'accounts', kind: 'keyspace', problem: null }] });
  expect(await call('keys', { database: 'accounts', prefix: 'u:' })).toMatchObject({ data: [{ encoding: 'json' }] });
  const first = (await call('commits', { database: 'accounts', limit: 1 })) as { next_cursor: string };
  const second = await call('commits', { database: 'accounts', limit: 1, before: Number(first.next_cursor) });
  expect(second).toMatchObject({ data: [{ revision: Number(first.next_cursor) - 1 }] });
  const made = await call('backup', { database: 'accounts' });
  expect(await call('backups', { database: 'accounts' })).toMatchObject({ data: [made] });
});
