import { describe, expect, it } from 'vitest';

import type { AuditFilter } from './audit.ts';
import { codeOf, open, openWithOwner, PASSWORD } from '../../test/open.ts';

describe('the audit log', () => {
  it('tells who did what to whom, from where, newest first', async () => {
    const { accounts } = await open();
    const { secret } = await accounts.createSetupLink();
    const source = { ip: '203.0.113.7' };
    const { user, token, session } = await accounts.redeemSetupLink({
      secret,
      username: 'ada',
      password: PASSWORD,
      source,
    });
    const actor = user.id;
    const bo = await accounts.createUser({ username: 'bo', roles: ['viewer'], actor });
    await accounts.setRoles({ userId: bo.id, roles: ['user'], actor });
    const made = await accounts.createToken({ userId: bo.id, name: 'ci', scopes: ['read'], actor });
    await accounts.revokeToken({ userId: bo.id, tokenId: made.token.id, actor });
    await codeOf(accounts.login({ name: 'ada', password: 'wrong password', source }));
    await codeOf(accounts.login({ name: 'nobody', password: PASSWORD, source }));
    await accounts.logout(token);
    const { items } = await accounts.listAudit();
    expect(items.map(({ type }) => type)).toEqual([
      'logout',
      'login_failed',
      'login_failed',
      'token_revoked',
      'token_created',
      'roles_changed',
      'user_created',
      'login_ok',
      'owner_created',
      'setup_link_created',
    ]);
    expect(items[1]).toEqual({
      seq: 9,
      at: '2026-01-19T12:00:00.000Z',
      type: 'login_failed',
      actor: 'anonymous',
      user_id: null,
      ip: '203.0.113.7',
      actor_name: null,
      username: null,
    });
    expect(items[2]).toMatchObject({ type: 'login_failed', user_id: user.id });
    expect(items[4]).toMatchObject({ actor, user_id: bo.id, token_id: made.token.id, scopes: ['read'] });
    expect(items[5]).toMatchObject({ actor, actor_name: 'ada', user_id: bo.id, username: 'bo', roles: ['user'] });
    expect(items[7]).toMatchObject({ actor, user_id: user.id, session_id: session.id, ip: '203.0.113.7' });
  });

  it('has an entry if and only if the thing was done', async () => {
    const { accounts, ada } = await openWithOwner();
    const count = async (): Promise<number> => (await accounts.listAudit({ limit: 500 })).items.length;
    const before = await count();
    await codeOf(accounts.setRoles({ userId: ada.id, roles: ['viewer'] }));
    await codeOf(accounts.createUser({ username: 'ada' }));
    await codeOf(accounts.createToken({ userId: ada.id, name: '', scopes: ['read'] }));
    await accounts.setStatus({ userId: ada.id, status: 'active' });
    expect(await count()).toBe(before);
  });

  it('comes in pages', async () => {
    const { accounts, ada } = await openWithOwner();
    for (let round = 0; round < 6; round++) await accounts.revokeSessions({ userId: ada.id });
    const first = await accounts.listAudit({ limit: 4 });
    const second = await accounts.listAudit({ limit: 4, cursor: first.cursor });
    expect([...first.items, ...second.items].map(({ seq }) => seq)).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect(await codeOf(accounts.listAudit({ cursor: 'elsewhere' }))).toBe('CURSOR_INVALID');
  });

  it('can be filtered by user, type and time, in pages too', async () => {
    const { accounts, ada, clock } = await openWithOwner();
    const bo = await accounts.createUser({ username: 'bo', email: 'bo@example.org', actor: ada.id });
    const since = new Date(clock() + 1_000).toISOString();
    clock.advance(1_000);
    for (let round = 0; round < 3; round++) await accounts.revokeSessions({ userId: bo.id, actor: bo.id });
    await accounts.revokeSessions({ userId: ada.id, actor: ada.id });
    const typesOf = async (filter: AuditFilter) => (await accounts.listAudit(filter)).items.map(({ type }) => type);
    const revoked = 'sessions_revoked';
    expect(await typesOf({ user: 'bo@example.org' })).toEqual([revoked, revoked, revoked, 'user_created']);
    expect(await typesOf({ user: bo.id, since })).toEqual([revoked, revoked, revoked]);
    expect(await typesOf({ user: 'ada', type: 'user_created' })).toEqual(['user_created']);
    const first = await accounts.listAudit({ user: 'bo', type: revoked, limit: 2 });
    const second = await accounts.listAudit({ user: 'bo', type: revoked, limit: 2, cursor: first.cursor });
    expect([first.items.length, second.items.length, second.cursor]).toEqual([2, 1, undefined]);
    await accounts.deleteUser({ userId: bo.id });
    expect((await accounts.listAudit({ user: bo.id })).items).toHaveLength(5);
    expect(await codeOf(accounts.listAudit({ user: 'bo' }))).toBe('USER_NOT_FOUND');
  });
});
