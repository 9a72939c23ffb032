import { describe, expect, it } from 'vitest';

import { codeOf, open, openWithOwner, PASSWORD } from '../../test/open.ts';

const source = { ip: '198.51.100.7', userAgent: 'Test' };

describe('sign-in by a reverse proxy', () => {
  it('finds the account by name or e-mail address, and records who signed the user in', async () => {
    const { accounts, ada } = await openWithOwner();
    for (const name of ['ADA', 'ada@example.org']) {
      const { user, token } = await accounts.loginByProxy({ name, source });
      expect(user.id).toBe(ada.id);
      expect((await accounts.authenticate(token)).user.id).toBe(ada.id);
    }
    const [last] = (await accounts.listAudit({ type: 'login_ok' })).items;
    expect(last).toMatchObject({ via: 'proxy', ip: '198.51.100.7', user_id: ada.id });
  });

  it('creates an account that may only look, once', async () => {
    const { accounts } = await openWithOwner();
    const first = await accounts.loginByProxy({ name: 'bo@example.org' });
    const second = await accounts.loginByProxy({ name: 'bo@example.org', sessionToken: first.token });
    expect(first.user).toMatchObject({ username: 'bo', email: 'bo@example.org', roles: ['viewer'] });
    expect(second.user.id).toBe(first.user.id);
    expect(await codeOf(accounts.authenticate(first.token))).toBe('SESSION_INVALID');
    expect(await codeOf(accounts.login({ name: 'bo', password: PASSWORD }))).toBe('CREDENTIALS_WRONG');
  });

  it('refuses a disabled account, a name that is none, and everybody before there is an owner', async () => {
    const { accounts } = await openWithOwner();
    const { user } = await accounts.loginByProxy({ name: 'bo' });
    await accounts.setStatus({ userId: user.id, status: 'disabled' });
    expect(await codeOf(accounts.loginByProxy({ name: 'bo' }))).toBe('ACCOUNT_DISABLED');
    for (const name of ['ada, eve', '', '@', '\u0000', '../eve']) {
      expect(await codeOf(accounts.loginByProxy({ name }))).toBe('USERNAME_INVALID');
    }
    const empty = await open();
    expect(await codeOf(empty.accounts.loginByProxy({ name: 'ada' }))).toBe('SETUP_REQUIRED');
  });

  it('does not take an account over by a new e-mail address with the name of another user', async () => {
    const { accounts } = await openWithOwner();
    expect(await codeOf(accounts.loginByProxy({ name: 'ada@evil.example' }))).toBe('USERNAME_TAKEN');
  });
});

describe('sign-in by an identity of a provider', () => {
  const bo = { issuer: 'https://id.example', subject: '17', name: 'bo', email: 'bo@example.org', roles: undefined };

  it('recognises the user by the id of the provider, whatever the name', async () => {
    const { accounts, keyspace } = await openWithOwner();
    const first = await accounts.loginByIdentity({ ...bo, source });
    const renamed = await accounts.loginByIdentity({ ...bo, name: 'ada', email: 'ada@example.org' });
    expect(first.user).toMatchObject({ username: 'bo', email: 'bo@example.org', roles: ['viewer'] });
    expect(renamed.user).toEqual(first.user);
    expect((await keyspace.verify()).problems).toEqual([]);
  });

  it('never opens an existing account by its name or e-mail address, nor by the same id at another provider', async () => {
    const { accounts } = await openWithOwner();
    await accounts.loginByIdentity(bo);
    const attempts = [
      { ...bo, subject: '18', name: 'Ada' },
      { ...bo, subject: '18', name: 'eve', email: 'ada@example.org' },
      { ...bo, issuer: 'https://evil.example' },
    ];
    for (const attempt of attempts) expect(await codeOf(accounts.loginByIdentity(attempt))).toBe('IDENTITY_NOT_LINKED');
  });

  it('takes the roles from the provider at each sign-in and ends older sessions when they change', async () => {
    const { accounts } = await openWithOwner();
    const first = await accounts.loginByIdentity({ ...bo, roles: ['admin'] });
    const second = await accounts.loginByIdentity({ ...bo, roles: ['user'] });
    expect([first.user.roles, second.user.roles]).toEqual([['admin'], ['user']]);
    expect(await codeOf(accounts.authenticate(first.token))).toBe('SESSION_INVALID');
    expect((await accounts.authenticate(second.token)).user.roles).toEqual(['user']);
  });

  it('a linked owner keeps a role that only the owner has', async () => {
    const { accounts, ada } = await openWithOwner();
    await accounts.linkIdentity({ ...bo, userId: ada.id });
    expect(await codeOf(accounts.loginByIdentity({ ...bo, roles: ['viewer'] }))).toBe('LAST_ADMIN');
    expect((await accounts.loginByIdentity(bo)).user).toMatchObject({ id: ada.id, roles: ['admin'] });
  });

  it('links, relinks and unlinks one account; a second account cannot take the identity', async () => {
    const { accounts, ada } = await openWithOwner();
    const eve = await accounts.createUser({ username: 'eve' });
    await accounts.linkIdentity({ ...bo, userId: ada.id });
    expect(await codeOf(accounts.linkIdentity({ ...bo, userId: eve.id }))).toBe('IDENTITY_TAKEN');
    await accounts.linkIdentity({ ...bo, subject: '18', userId: ada.id });
    await accounts.linkIdentity({ ...bo, userId: eve.id });
    expect((await accounts.loginByIdentity({ ...bo, subject: '18' })).user.id).toBe(ada.id);
    await accounts.unlinkIdentity(ada.id);
    expect([await accounts.hasIdentity(ada.id), await accounts.hasIdentity(eve.id)]).toEqual([false, true]);
    await accounts.deleteUser({ userId: eve.id });
    expect((await accounts.loginByIdentity(bo)).user.id).not.toBe(eve.id);
  });

  it('records a refused sign-in with its reason, and the account if the user of the provider is linked', async () => {
    const { accounts, ada } = await openWithOwner();
    await accounts.linkIdentity({ ...bo, userId: ada.id });
    await accounts.recordRefusedIdentity({ reason: 'OIDC_SIGN_IN_FAILED', source });
    await accounts.recordRefusedIdentity({ reason: 'ACCOUNT_DISABLED', identity: bo, source });
    await accounts.recordRefusedIdentity({ reason: 'OIDC_NO_ROLE', identity: { ...bo, subject: 'x'.repeat(1_000) } });
    const { items } = await accounts.listAudit({ type: 'login_failed' });
    const facts = { actor: 'anonymous', via: 'oidc', ip: '198.51.100.7' };
    expect(items).toMatchObject([
      { reason: 'OIDC_NO_ROLE', user_id: null, subject: 'x'.repeat(255) },
      { ...facts, reason: 'ACCOUNT_DISABLED', user_id: ada.id, subject: '17' },
      { ...facts, reason: 'OIDC_SIGN_IN_FAILED', user_id: null },
    ]);
    expect(items[2]).not.toHaveProperty('subject');
  });

  it('records only some of the refusals that one place causes in a row, and does not throttle passwords there', async () => {
    const { accounts } = await openWithOwner();
    for (let count = 0; count < 40; count++) await accounts.recordRefusedIdentity({ reason: 'OIDC_NO_ROLE', source });
    await accounts.recordRefusedIdentity({ reason: 'OIDC_NO_ROLE', source: { ip: '198.51.100.8' } });
    const { items } = await accounts.listAudit({ type: 'login_failed', limit: 100 });
    expect(items.map(({ ip }) => ip)).toEqual(['198.51.100.8', ...Array.from({ length: 21 }, () => source.ip)]);
    expect((await accounts.login({ name: 'ada', password: PASSWORD, source })).user.username).toBe('ada');
  });
});
