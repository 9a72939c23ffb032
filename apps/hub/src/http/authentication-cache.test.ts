import { expect, it } from 'vitest';

import { openTestHub } from '../../test/hub.ts';
import { AuthenticationCache } from './authentication-cache.ts';

async function opened() {
  let now = Date.UTC(2026, 0, 1);
  const hub = await openTestHub({ clock: () => now });
  const { user } = await hub.accounts.ensureOwner({ username: 'owner' });
  const database = await hub.databases.get('accounts');
  const cache = new AuthenticationCache(
    hub.accounts,
    () => Promise.resolve(database.revision()),
    () => now,
  );
  return { hub, user, cache, now: () => now, pass: (ms: number) => (now += ms) };
}

it('answers from memory while nothing changes, and asks again when something did', async () => {
  const { hub, user, cache } = await opened();
  const { secret, token } = await hub.accounts.createToken({ userId: user.id, name: 'x', scopes: ['read'] });
  await cache.authenticate(secret);
  await hub.accounts.settled();
  const first = await cache.authenticate(secret);
  expect(await cache.authenticate(secret)).toBe(first);
  await hub.accounts.createToken({ userId: user.id, name: 'other', scopes: ['read'] });
  expect(await cache.authenticate(secret)).not.toBe(first);
  await hub.accounts.revokeToken({ userId: user.id, tokenId: token.id });
  await expect(cache.authenticate(secret)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
});

it('does not remember beyond the end of a token, however little happens', async () => {
  const { hub, user, cache, now, pass } = await opened();
  const expiresAt = now() + 5_000;
  const { secret } = await hub.accounts.createToken({ userId: user.id, name: 'x', scopes: ['read'], expiresAt });
  await cache.authenticate(secret);
  await hub.accounts.settled();
  const known = await cache.authenticate(secret);
  pass(4_000);
  expect(await cache.authenticate(secret)).toBe(known);
  pass(2_000);
  await expect(cache.authenticate(secret)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
});
