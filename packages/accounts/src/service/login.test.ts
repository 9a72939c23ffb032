import { describe, expect, it } from 'vitest';

import { argon2Hasher } from '../adapters/argon2.ts';
import type { Hasher } from '../adapters/argon2.ts';
import { policyOf } from '../model/hash-policy.ts';
import { credentials } from '../store/schema.ts';
import { codeOf, openWithOwner, PASSWORD, storedKeys } from '../../test/open.ts';

interface Work {
  readonly kind: 'hash' | 'verify';
  readonly cost: unknown;
}

/** The real hasher, recording its calls. */
function watchedHasher(): { readonly hasher: Hasher; readonly work: Work[] } {
  const work: Work[] = [];
  return {
    work,
    hasher: {
      hash(password, policy) {
        work.push({ kind: 'hash', cost: policy });
        return argon2Hasher.hash(password, policy);
      },
      verify(hash, password) {
        work.push({ kind: 'verify', cost: policyOf(hash) });
        return argon2Hasher.verify(hash, password);
      },
    },
  };
}

describe('signing in', () => {
  it('works by name and by address, in any case', async () => {
    const { accounts, ada } = await openWithOwner();
    for (const name of ['ada', 'ADA', 'ada@example.org', ' Ada@Example.ORG ']) {
      const { user, token } = await accounts.login({ name, password: PASSWORD });
      expect(user.id).toBe(ada.id);
      expect((await accounts.authenticate(token)).user.username).toBe('ada');
    }
  });

  it('tells nobody whether a user exists: same error, same work, same trace', async () => {
    const { hasher, work } = watchedHasher();
    const { accounts, keyspace } = await openWithOwner({ hasher });
    await accounts.createUser({ username: 'nopass' });
    const gone = await accounts.createUser({ username: 'gone', password: PASSWORD });
    await accounts.setStatus({ userId: gone.id, status: 'disabled' });
    const cases = [
      { name: 'ada', password: 'wrong password' },
      { name: 'ada', password: '' },
      { name: 'nobody', password: PASSWORD },
      { name: 'nobody@example.org', password: PASSWORD },
      { name: 'nopass', password: '' },
      { name: 'gone', password: PASSWORD },
      { name: '', password: '' },
      { name: '\ud800', password: PASSWORD },
      { name: 'x'.repeat(100_000), password: PASSWORD },
    ];
    const seen = [];
    for (const [index, input] of cases.entries()) {
      work.length = 0;
      const before = await keyspace.revision();
      const error = await accounts.login({ ...input, source: { ip: `203.0.113.${index}` } }).catch((thrown) => thrown);
      const { code, message, hint, kind } = error;
      seen.push({ code, message, hint, kind, work: [...work], commits: (await keyspace.revision()) - before });
    }
    expect(seen[0]).toMatchObject({ code: 'CREDENTIALS_WRONG', commits: 2 });
    expect(seen[0]!.work).toEqual([
      { kind: 'verify', cost: { memory_kib: 8, iterations: 1, parallelism: 1, version: 1 } },
    ]);
    for (const one of seen) expect(one).toEqual(seen[0]);
  });

  it('refuses an endless password before it looks at the name', async () => {
    const { hasher, work } = watchedHasher();
    const { accounts } = await openWithOwner({ hasher });
    work.length = 0;
    for (const name of ['ada', 'nobody']) {
      expect(await codeOf(accounts.login({ name, password: 'x'.repeat(1_025) }))).toBe('PASSWORD_UNUSABLE');
    }
    expect(work).toEqual([]);
  });

  it('does not accept a user whose stored hash is damaged, whatever is typed', async () => {
    const { accounts, keyspace, ada } = await openWithOwner();
    const key = `ua:${ada.id}`;
    const record = JSON.parse((await storedKeys(keyspace))[key] as string) as object;
    for (const password_hash of ['$argon2id$', '$argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$']) {
      await keyspace.transact(async (tx) => tx.writeKey(key, JSON.stringify({ ...record, password_hash })));
      for (const password of ['', PASSWORD]) {
        expect(await codeOf(accounts.login({ name: 'ada', password }))).toBe('CREDENTIALS_WRONG');
      }
    }
  });

  it('does not depend on the hashing to refuse somebody who has no password', async () => {
    const hasher = { ...argon2Hasher, verify: () => Promise.resolve(true) };
    const { accounts, keyspace, ada } = await openWithOwner({ hasher });
    await accounts.createUser({ username: 'nopass' });
    await keyspace.transact(async (tx) => {
      await tx.update(credentials, { id: ada.id }, (stored) => ({ ...stored, password_hash: '$argon2id$' }));
    });
    for (const name of ['nobody', 'nopass', 'ada']) {
      expect(await codeOf(accounts.login({ name, password: PASSWORD }))).toBe('CREDENTIALS_WRONG');
    }
  });

  it('makes a new session each time and ends the one that the browser had', async () => {
    const { accounts } = await openWithOwner();
    const first = await accounts.login({ name: 'ada', password: PASSWORD });
    const second = await accounts.login({ name: 'ada', password: PASSWORD, sessionToken: first.token });
    expect(second.token).not.toBe(first.token);
    expect(second.session.id).not.toBe(first.session.id);
    expect(await codeOf(accounts.authenticate(first.token))).toBe('SESSION_INVALID');
    expect(await codeOf(accounts.authenticate(second.token))).toBe('done');
  });

  it('never adopts a token that somebody else chose', async () => {
    const { accounts } = await openWithOwner();
    const planted = 'hfs_0000000000000000000000000000000000000000000000000';
    const { token } = await accounts.login({ name: 'ada', password: PASSWORD, sessionToken: planted });
    expect(token).not.toBe(planted);
    expect(await codeOf(accounts.authenticate(planted))).toBe('SESSION_INVALID');
  });

  it('brings the hash to the policy of today, once', async () => {
    const { hasher, work } = watchedHasher();
    const { accounts, keyspace, ada } = await openWithOwner({ hasher });
    const policy = { memory_kib: 19_456, iterations: 2, parallelism: 1 };
    await accounts.setHashPolicy(policy);
    await accounts.login({ name: 'ada', password: PASSWORD });
    const hash = (await storedKeys(keyspace))[`ua:${ada.id}`] as string;
    expect(hash).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
    work.length = 0;
    await accounts.login({ name: 'ada', password: PASSWORD });
    expect(work).toEqual([{ kind: 'verify', cost: { ...policy, version: 1 } }]);
    expect((await storedKeys(keyspace))[`ua:${ada.id}`]).toBe(hash);
    expect(await codeOf(accounts.login({ name: 'ada', password: 'wrong password' }))).toBe('CREDENTIALS_WRONG');
  });

  it('does not bring back the old password when it is changed at that moment', async () => {
    let meanwhile: (() => Promise<void>) | undefined;
    const hasher: Hasher = {
      ...argon2Hasher,
      async hash(password, policy) {
        const once = meanwhile;
        meanwhile = undefined;
        await once?.();
        return argon2Hasher.hash(password, policy);
      },
    };
    const { accounts, ada } = await openWithOwner({ hasher, hashing: { parallel: 2, waiting: 2 } });
    await accounts.setHashPolicy({ memory_kib: 19_456, iterations: 2, parallelism: 1 });
    meanwhile = () => accounts.setPassword({ userId: ada.id, password: 'another good password' });
    await accounts.login({ name: 'ada', password: PASSWORD });
    expect(await codeOf(accounts.login({ name: 'ada', password: PASSWORD }))).toBe('CREDENTIALS_WRONG');
    expect(await codeOf(accounts.login({ name: 'ada', password: 'another good password' }))).toBe('done');
  });

  it('does not let in a password that was changed while it was being checked', async () => {
    let meanwhile: (() => Promise<void>) | undefined;
    const hasher: Hasher = {
      ...argon2Hasher,
      async verify(hash, password) {
        const isRight = await argon2Hasher.verify(hash, password);
        await meanwhile?.();
        return isRight;
      },
    };
    const { accounts, ada } = await openWithOwner({ hasher });
    meanwhile = () => accounts.setPassword({ userId: ada.id, password: 'another good password' });
    expect(await codeOf(accounts.login({ name: 'ada', password: PASSWORD }))).toBe('CREDENTIALS_WRONG');
    meanwhile = async () => void (await accounts.setRoles({ userId: ada.id, roles: ['admin', 'user'] }));
    expect(await codeOf(accounts.login({ name: 'ada', password: 'another good password' }))).toBe('done');
  });

  it('keeps the fifty newest sessions of a user', async () => {
    const { accounts, ada, keyspace } = await openWithOwner({ engine: 'memory' });
    const { token } = await accounts.login({ name: 'ada', password: PASSWORD });
    for (let count = 0; count < 50; count++) await accounts.login({ name: 'ada', password: PASSWORD });
    expect(await accounts.listSessions(ada.id)).toHaveLength(50);
    expect(await codeOf(accounts.authenticate(token))).toBe('SESSION_INVALID');
    expect(Object.keys(await storedKeys(keyspace, 'dev:'))).toHaveLength(20);
    expect((await keyspace.verify()).problems).toEqual([]);
  });
});

describe('signing out', () => {
  it('ends the session at once, and twice is no error', async () => {
    const { accounts, ada } = await openWithOwner();
    const { token } = await accounts.login({ name: 'ada', password: PASSWORD });
    await accounts.logout(token);
    await accounts.logout(token);
    await accounts.logout('nonsense');
    expect(await codeOf(accounts.authenticate(token))).toBe('SESSION_INVALID');
    expect(await accounts.listSessions(ada.id)).toEqual([]);
  });
});
