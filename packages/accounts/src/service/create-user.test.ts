import { describe, expect, it } from 'vitest';

import { codeOf, open, openWithOwner, PASSWORD, storedKeys } from '../../test/open.ts';

describe('making users', () => {
  for (const engine of ['sqlite', 'memory'] as const) {
    it(`gives a name to one of fifty who want it at once (${engine})`, async () => {
      const { accounts, keyspace } = await openWithOwner({ engine });
      const spellings = ['Grace', 'grace', 'GRACE', 'ｇｒａｃｅ', 'gRaCe'];
      const codes = await Promise.all(
        Array.from({ length: 50 }, (_, index) => codeOf(accounts.createUser({ username: spellings[index % 5]! }))),
      );
      expect(codes.filter((code) => code === 'done')).toHaveLength(1);
      expect(codes.filter((code) => code === 'USERNAME_TAKEN')).toHaveLength(49);
      expect(Object.keys(await storedKeys(keyspace, 'u:'))).toHaveLength(2);
      expect((await keyspace.verify()).problems).toEqual([]);
    });
  }

  it('gives a name to one of two programs that share the database', async () => {
    const first = await openWithOwner();
    const second = await open({ path: first.path });
    for (let round = 0; round < 10; round++) {
      const attempts = [first, second, first, second].map(({ accounts }) =>
        codeOf(accounts.createUser({ username: `name${round}`, email: `a${round}@example.org` })),
      );
      expect((await Promise.all(attempts)).filter((code) => code === 'done')).toHaveLength(1);
    }
  });

  it('says which of name and address is taken', async () => {
    const { accounts } = await openWithOwner();
    expect(await codeOf(accounts.createUser({ username: 'ADA' }))).toBe('USERNAME_TAKEN');
    expect(await codeOf(accounts.createUser({ username: 'bo', email: 'ADA@EXAMPLE.ORG' }))).toBe('EMAIL_TAKEN');
  });

  it('refuses what is not a name, an address, a password or a role, and writes nothing', async () => {
    const { accounts, keyspace } = await openWithOwner();
    const before = await keyspace.revision();
    expect(await codeOf(accounts.createUser({ username: '../x' }))).toBe('USERNAME_INVALID');
    expect(await codeOf(accounts.createUser({ username: 'bo', email: 'x' }))).toBe('EMAIL_INVALID');
    expect(await codeOf(accounts.createUser({ username: 'bo', password: 'short' }))).toBe('PASSWORD_WEAK');
    expect(await codeOf(accounts.createUser({ username: 'bo', roles: ['root' as 'admin'] }))).toBe('ROLE_UNKNOWN');
    expect(await codeOf(accounts.createUser({ username: 'bo', roles: [] }))).toBe('ROLE_UNKNOWN');
    expect(await keyspace.revision()).toBe(before);
  });

  it('needs an owner first', async () => {
    const { accounts } = await open();
    expect(await codeOf(accounts.createUser({ username: 'bo', password: PASSWORD }))).toBe('SETUP_REQUIRED');
  });

  it('returns no secret, and neither does the list', async () => {
    const { accounts } = await openWithOwner();
    const bo = await accounts.createUser({ username: 'bo', password: PASSWORD, roles: ['viewer', 'user', 'viewer'] });
    const fields = ['id', 'username', 'email', 'roles', 'status', 'created_at', 'updated_at'];
    expect(Object.keys(bo)).toEqual(fields);
    expect(bo.roles).toEqual(['user', 'viewer']);
    const { items } = await accounts.listUsers();
    expect(items.map((user) => Object.keys(user))).toEqual([fields, fields]);
  });

  it('lists in pages, in order of age', async () => {
    const { accounts } = await openWithOwner();
    for (const username of ['zoe', 'bo', 'mia']) await accounts.createUser({ username });
    const first = await accounts.listUsers({ limit: 3 });
    const rest = await accounts.listUsers({ limit: 3, cursor: first.cursor });
    expect([...first.items, ...rest.items].map(({ username }) => username)).toEqual(['ada', 'zoe', 'bo', 'mia']);
    expect(rest.cursor).toBeUndefined();
  });
});

describe('finding users', () => {
  it('works by id, by name and by address', async () => {
    const { accounts, ada } = await openWithOwner();
    for (const typed of [ada.id, 'ADA', 'Ada@Example.Org']) expect((await accounts.findUser(typed)).id).toBe(ada.id);
    for (const typed of ['bo', '', '\ud800', 'x'.repeat(10_000), '01HX0000000000000000000000']) {
      expect(await codeOf(accounts.findUser(typed))).toBe('USER_NOT_FOUND');
    }
  });
});

describe('changing users', () => {
  it('frees the old name for others', async () => {
    const { accounts, ada } = await openWithOwner();
    await accounts.updateUser({ userId: ada.id, username: 'countess', email: null });
    expect(await codeOf(accounts.findUser('ada'))).toBe('USER_NOT_FOUND');
    const other = await accounts.createUser({ username: 'Ada', email: 'ada@example.org' });
    expect((await accounts.findUser('ada')).id).toBe(other.id);
    expect(await codeOf(accounts.updateUser({ userId: ada.id, username: 'ADA' }))).toBe('USERNAME_TAKEN');
    expect(await codeOf(accounts.updateUser({ userId: ada.id, email: 'ada@example.org' }))).toBe('EMAIL_TAKEN');
  });

  it('can change the case of a name', async () => {
    const { accounts, ada } = await openWithOwner();
    expect((await accounts.updateUser({ userId: ada.id, username: 'Ada' })).username).toBe('Ada');
  });
});
