import { openAccounts, openAccountsKeyspace } from '@holdfast/accounts';
import { listen } from '@holdfast/http';
import { sqliteEngine } from '@holdfast/keyspace';
import { expect, it } from 'vitest';

import { openTestHub } from '../../test/hub.ts';

/** Cached permissions must never outlive a change by even one request. */

it('a token that another program revokes is refused by the very next request, however busy the server is', async () => {
  const hub = await openTestHub();
  const { user } = await hub.accounts.ensureOwner({ username: 'owner' });
  await using listening = await listen(hub.server, { port: 0 });
  // Separate connections to the same file act like another process.
  const keyspace = await openAccountsKeyspace(await sqliteEngine({ path: hub.databases.locate('accounts').path }));
  const elsewhere = await openAccounts({ keyspace });
  const statusWith = async (secret: string) => {
    const response = await fetch(`${listening.url}/api/account/me`, { headers: { authorization: `Bearer ${secret}` } });
    await response.arrayBuffer();
    return response.status;
  };
  const busy = await elsewhere.createToken({ userId: user.id, name: 'busy', scopes: ['read'] });
  const over = new AbortController();
  const traffic = Array.from({ length: 4 }, async () => {
    const seen = new Set<number>();
    while (!over.signal.aborted) seen.add(await statusWith(busy.secret));
    return seen;
  });
  const afterwards: number[] = [];
  for (let round = 0; round < 25; round++) {
    const { secret, token } = await elsewhere.createToken({ userId: user.id, name: 'short', scopes: ['read'] });
    expect(await statusWith(secret)).toBe(200);
    expect(await statusWith(secret)).toBe(200);
    await elsewhere.revokeToken({ userId: user.id, tokenId: token.id });
    afterwards.push(await statusWith(secret));
  }
  over.abort();
  for (const seen of await Promise.all(traffic)) expect([...seen]).toEqual([200]);
  await elsewhere.settled();
  await keyspace.close();
  expect(new Set(afterwards)).toEqual(new Set([401]));
});

it('what this server itself revokes is refused in the same turn of the event loop', async () => {
  const hub = await openTestHub();
  const { user } = await hub.accounts.ensureOwner({ username: 'owner' });
  const { secret, token } = await hub.accounts.createToken({ userId: user.id, name: 'x', scopes: ['read'] });
  const status = async () =>
    (await hub.server.request('http://localhost/api/account/me', { headers: { authorization: `Bearer ${secret}` } }))
      .status;
  expect(await status()).toBe(200);
  await hub.accounts.settled();
  expect(await status()).toBe(200);
  // Sends a request in every turn of the event loop, so that one of them reads the revision in the same turn as the
  // commit.
  let asking = setImmediate(function ask() {
    void status();
    asking = setImmediate(ask);
  });
  await hub.accounts.revokeToken({ userId: user.id, tokenId: token.id });
  expect(await status()).toBe(401);
  clearImmediate(asking);
});
