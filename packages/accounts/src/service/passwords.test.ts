import { describe, expect, it } from 'vitest';

import { codeOf, openWithOwner, PASSWORD } from '../../test/open.ts';
import { credentials } from '../store/schema.ts';

const NEXT = 'tomorrow never knows';

describe('changing the own password', () => {
  it('needs the old one, gives the session a new token and ends all others', async () => {
    const { accounts, ada } = await openWithOwner();
    const mine = await accounts.login({ name: 'ada', password: PASSWORD });
    const other = await accounts.login({ name: 'ada', password: PASSWORD });
    const change = { userId: ada.id, currentPassword: PASSWORD, newPassword: NEXT, sessionToken: mine.token };
    const wrong = accounts.changePassword({ ...change, currentPassword: 'wrong password' });
    expect(await codeOf(wrong)).toBe('CREDENTIALS_WRONG');
    const { token } = await accounts.changePassword(change);
    expect(await codeOf(accounts.authenticate(token!))).toBe('done');
    for (const old of [mine, other]) expect(await codeOf(accounts.authenticate(old.token))).toBe('SESSION_INVALID');
    expect(await codeOf(accounts.login({ name: 'ada', password: PASSWORD }))).toBe('CREDENTIALS_WRONG');
    expect(await codeOf(accounts.login({ name: 'ada', password: NEXT }))).toBe('done');
  });

  it('is slowed down like a sign-in: a stolen session is no way to guess the password', async () => {
    const { accounts, ada } = await openWithOwner();
    const { token } = await accounts.login({ name: 'ada', password: PASSWORD });
    const guess = (): Promise<string> =>
      codeOf(
        accounts.changePassword({ userId: ada.id, currentPassword: 'wrong', newPassword: NEXT, sessionToken: token }),
      );
    for (let count = 0; count < 6; count++) expect(await guess()).toBe('CREDENTIALS_WRONG');
    expect(await guess()).toBe('LOGIN_THROTTLED');
    expect(await codeOf(accounts.login({ name: 'ada', password: PASSWORD }))).toBe('done');
  });

  it('does not keep the session of somebody else', async () => {
    const { accounts, ada } = await openWithOwner();
    await accounts.createUser({ username: 'bo', password: PASSWORD });
    const bo = await accounts.login({ name: 'bo', password: PASSWORD });
    const change = { userId: ada.id, currentPassword: PASSWORD, newPassword: NEXT, sessionToken: bo.token };
    expect(await accounts.changePassword(change)).toEqual({ token: undefined });
    expect((await accounts.authenticate(bo.token)).user.username).toBe('bo');
  });

  it('succeeds once when it is asked for twice at the same time', async () => {
    const { accounts, ada } = await openWithOwner();
    const change = (newPassword: string): Promise<string> =>
      codeOf(accounts.changePassword({ userId: ada.id, currentPassword: PASSWORD, newPassword }));
    const codes = await Promise.all([change(NEXT), change('strawberry fields')]);
    expect(codes.toSorted()).toEqual(['CREDENTIALS_WRONG', 'done']);
  });

  it('refuses a weak one before it checks anything', async () => {
    const { accounts, ada, keyspace } = await openWithOwner();
    const before = await keyspace.revision();
    const change = { userId: ada.id, currentPassword: PASSWORD, newPassword: 'short' };
    expect(await codeOf(accounts.changePassword(change))).toBe('PASSWORD_WEAK');
    expect(await keyspace.revision()).toBe(before);
  });
});

describe('setting the password of a user', () => {
  it('signs them out everywhere, and tokens go on', async () => {
    const { accounts } = await openWithOwner();
    const bo = await accounts.createUser({ username: 'bo' });
    expect(await codeOf(accounts.login({ name: 'bo', password: NEXT }))).toBe('CREDENTIALS_WRONG');
    await accounts.setPassword({ userId: bo.id, password: NEXT });
    const { token } = await accounts.login({ name: 'bo', password: NEXT });
    const { secret } = await accounts.createToken({ userId: bo.id, name: 'ci', scopes: ['read'] });
    await accounts.setPassword({ userId: bo.id, password: PASSWORD });
    expect(await codeOf(accounts.authenticate(token))).toBe('SESSION_INVALID');
    expect(await codeOf(accounts.authenticate(secret))).toBe('done');
    expect(await codeOf(accounts.setPassword({ userId: 'x', password: PASSWORD }))).toBe('USER_NOT_FOUND');
  });
});

describe('the hash policy', () => {
  it('can be read and made stronger, not weaker than is safe', async () => {
    const { accounts } = await openWithOwner();
    expect((await accounts.hashPolicy()).memory_kib).toBe(8);
    await accounts.setHashPolicy({ memory_kib: 131_072, iterations: 3, parallelism: 1 });
    expect((await accounts.hashPolicy()).memory_kib).toBe(131_072);
    const weak = accounts.setHashPolicy({ memory_kib: 8, iterations: 1, parallelism: 1 });
    expect(await codeOf(weak)).toBe('HASH_POLICY_INVALID');
  });
});

describe('a user who was imported with a bcrypt hash', () => {
  /** The bcrypt hash of "old secret words". */
  const HASH = '$2a$08$P2bNRA4uCA9hk2V.8eLCNOqOysO0q5CGXUeYfQEp6jya57VfzVDQW';
  const ID = '01K0000000000000000000000A';

  it('signs in with the old password, which is then stored as Argon2id', async () => {
    const { accounts, keyspace } = await openWithOwner();
    await accounts.createUser({ username: 'eve', imported: { id: ID, passwordHash: HASH } });
    expect(await keyspace.get(credentials, { id: ID })).toMatchObject({ password_hash_algo: 'bcrypt' });
    expect(await codeOf(accounts.login({ name: 'eve', password: 'other words' }))).toBe('CREDENTIALS_WRONG');
    expect(await keyspace.get(credentials, { id: ID })).toMatchObject({ password_hash: HASH });
    expect(await codeOf(accounts.login({ name: 'eve', password: 'old secret words' }))).toBe('done');
    const replaced = await keyspace.get(credentials, { id: ID });
    expect(replaced).toMatchObject({ password_hash_algo: 'argon2id' });
    expect(replaced?.password_hash).toMatch(/^\$argon2id\$/u);
    expect(await codeOf(accounts.login({ name: 'eve', password: 'old secret words' }))).toBe('done');
    expect(await codeOf(accounts.login({ name: 'eve', password: 'other words' }))).toBe('CREDENTIALS_WRONG');
  });

  it('has no password if the hash is missing, of another kind, or so expensive that it could block the server', async () => {
    const { accounts, keyspace } = await openWithOwner();
    for (const [index, hash] of [
      null,
      '',
      '5f4dcc3b5aa765d61d8327deb882cf99',
      HASH.replace('$08$', '$31$'),
    ].entries()) {
      const id = ID.slice(0, -1) + index;
      await accounts.createUser({ username: `user${index}`, imported: { id, passwordHash: hash } });
      expect(await keyspace.get(credentials, { id })).toBeUndefined();
    }
  });
});
