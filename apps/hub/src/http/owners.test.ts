import { roleNames } from '@holdfast/accounts';
import { expect, it } from 'vitest';

import { ask, openTestHub, PASSWORD, tokenHeaders } from '../../test/hub.ts';

interface Listed {
  readonly data: readonly { readonly id: string }[];
}

it.each(roleNames)('a %s sees and revokes only their own tokens and sessions', async (role) => {
  const hub = await openTestHub();
  const victim = Object.fromEntries(await tokenHeaders(hub, 'user'));
  const headers = Object.fromEntries(await tokenHeaders(hub, role));
  const { user } = (await (await ask(hub, '/api/account/me', { headers: victim })).json()) as {
    readonly user: { readonly id: string; readonly username: string };
  };
  await hub.accounts.setPassword({ userId: user.id, password: PASSWORD });
  const body = { name: user.username, password: PASSWORD };
  expect((await ask(hub, '/api/auth/login', { method: 'POST', body })).status).toBe(200);
  for (const kind of ['tokens', 'sessions']) {
    const owned = (await (await ask(hub, `/api/account/${kind}`, { headers: victim })).json()) as Listed;
    expect(owned.data).toHaveLength(1);
    const [{ id } = { id: '' }] = owned.data;
    const seen = (await (await ask(hub, `/api/account/${kind}`, { headers })).json()) as Listed;
    expect(seen.data.map((each) => each.id)).not.toContain(id);
    const revoked = await ask(hub, `/api/account/${kind}/${id}`, { method: 'DELETE', headers });
    expect(revoked.status).toBe(404);
    const after = (await (await ask(hub, `/api/account/${kind}`, { headers: victim })).json()) as Listed;
    expect(after).toEqual(owned);
  }
});
