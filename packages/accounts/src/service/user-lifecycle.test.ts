import { describe, expect, it } from 'vitest';

import { codeOf, openWithOwner, PASSWORD, storedKeys } from '../../test/open.ts';

describe('the roles of a user', () => {
  it('change with the end of all sessions', async () => {
    const { accounts } = await openWithOwner();
    const bo = await accounts.createUser({ username: 'bo', password: PASSWORD });
    const { token } = await accounts.login({ name: 'bo', password: PASSWORD });
    await accounts.setRoles({ userId: bo.id, roles: ['user'] });
    expect(await codeOf(accounts.authenticate(token))).toBe('done');
    expect((await accounts.setRoles({ userId: bo.id, roles: ['admin'] })).roles).toEqual(['admin']);
    expect(await codeOf(accounts.authenticate(token))).toBe('SESSION_INVALID');
  });

  it('are data that can be listed', async () => {
    const { accounts } = await openWithOwner();
    const listed = await accounts.listRoles();
    expect(listed.map(({ role, permissions }) => [role, permissions])).toEqual([
      ['admin', ['admin']],
      ['user', ['app:*:write', 'account']],
      ['viewer', ['app:*:read', 'account']],
    ]);
  });
});

describe('the last administrator', () => {
  it('cannot be demoted, disabled or deleted', async () => {
    const { accounts, ada } = await openWithOwner();
    const bo = await accounts.createUser({ username: 'bo', roles: ['admin'] });
    await accounts.setStatus({ userId: bo.id, status: 'disabled' });
    const userId = ada.id;
    expect(await codeOf(accounts.setRoles({ userId, roles: ['user'] }))).toBe('LAST_ADMIN');
    expect(await codeOf(accounts.setStatus({ userId, status: 'disabled' }))).toBe('LAST_ADMIN');
    expect(await codeOf(accounts.deleteUser({ userId }))).toBe('LAST_ADMIN');
    await accounts.setStatus({ userId: bo.id, status: 'active' });
    expect(await codeOf(accounts.deleteUser({ userId }))).toBe('done');
  });

  it('remains when all administrators demote each other at once', async () => {
    const { accounts, ada } = await openWithOwner();
    const others = [];
    for (let count = 0; count < 4; count++) {
      others.push(await accounts.createUser({ username: `admin${count}`, roles: ['admin'] }));
    }
    const codes = await Promise.all(
      [ada, ...others].map(({ id }) => codeOf(accounts.setRoles({ userId: id, roles: ['viewer'] }))),
    );
    expect(codes.toSorted()).toEqual(['LAST_ADMIN', 'done', 'done', 'done', 'done']);
  });
});

describe('deleting a user', () => {
  it('leaves nothing behind but the audit log, and frees the name', async () => {
    const { accounts, keyspace, ada } = await openWithOwner();
    const bo = await accounts.createUser({ username: 'bo', email: 'bo@example.org', password: PASSWORD });
    const { token } = await accounts.login({ name: 'bo', password: PASSWORD });
    const { secret } = await accounts.createToken({ userId: bo.id, name: 'ci', scopes: ['read'] });
    await accounts.createToken({ userId: ada.id, name: 'kept', scopes: ['read'] });
    await accounts.deleteUser({ userId: bo.id, actor: ada.id });
    expect(await codeOf(accounts.authenticate(token))).toBe('SESSION_INVALID');
    expect(await codeOf(accounts.authenticate(secret))).toBe('TOKEN_INVALID');
    const left = Object.entries(await storedKeys(keyspace)).filter(([key, value]) =>
      (key + String(value)).includes(bo.id),
    );
    expect(left.map(([key]) => key.split(':')[0]).filter((part) => part !== 'audit' && part !== 'thr')).toEqual([
      'idx',
    ]);
    expect(left.find(([key]) => key.startsWith('idx'))?.[0]).toMatch(/^idx:thr:exp:/);
    expect(await accounts.listTokens(ada.id)).toMatchObject([{ name: 'kept' }]);
    expect((await keyspace.verify()).problems).toEqual([]);
    expect(await codeOf(accounts.createUser({ username: 'bo', email: 'bo@example.org' }))).toBe('done');
    expect(await codeOf(accounts.deleteUser({ userId: bo.id }))).toBe('USER_NOT_FOUND');
  });
});
