import { HOUR } from '@holdfast/base';
import { expect, it } from 'vitest';

import { openWithOwner, storedKeys } from '../../test/open.ts';

it('hides an item from one user until its time, or until it is shown again', async () => {
  const { accounts, ada: owner, clock, keyspace } = await openWithOwner();
  const ben = await accounts.createUser({ username: 'ben', roles: ['user'] });
  await accounts.snooze({ userId: owner.id, key: 'np/failed/1', until: accounts.now() + HOUR });
  await accounts.snooze({ userId: owner.id, key: 'np/failed/2', until: accounts.now() + HOUR });
  await accounts.snooze({ userId: owner.id, key: 'np/failed/2', until: undefined });
  const until = await accounts.listSnoozes(owner.id);
  expect([until('np/failed/1'), until('np/failed/2')]).toEqual([expect.any(String), undefined]);
  expect((await accounts.listSnoozes(ben.id))('np/failed/1')).toBeUndefined();
  clock.advance(HOUR + 1);
  expect((await accounts.listSnoozes(owner.id))('np/failed/1')).toBeUndefined();
  expect((await accounts.sweep()).snoozes).toBe(1);
  expect(Object.keys(await storedKeys(keyspace)).filter((key) => key.includes('snz'))).toEqual([]);
});

it('goes with the user', async () => {
  const { accounts, keyspace } = await openWithOwner();
  const ben = await accounts.createUser({ username: 'ben', roles: ['user'] });
  await accounts.snooze({ userId: ben.id, key: 'np/failed/1', until: accounts.now() + HOUR });
  await accounts.deleteUser({ userId: ben.id });
  expect(Object.keys(await storedKeys(keyspace)).filter((key) => key.includes('snz'))).toEqual([]);
});
