import { DAY, HOUR, MINUTE, SECOND } from '@holdfast/base';
import { describe, expect, it } from 'vitest';

import { can } from '../index.ts';
import { codeOf, openWithOwner, PASSWORD, storedKeys } from '../../test/open.ts';

describe('a session', () => {
  it('ends when it is idle, and lives while it is used', async () => {
    const { accounts, clock } = await openWithOwner({ settings: { sessionIdleMs: HOUR, sessionAbsoluteMs: DAY } });
    const { token } = await accounts.login({ name: 'ada', password: PASSWORD });
    for (let count = 0; count < 6; count++) {
      clock.advance(50 * MINUTE);
      await accounts.authenticate(token);
      await accounts.settled();
    }
    clock.advance(HOUR);
    expect(await codeOf(accounts.authenticate(token))).toBe('SESSION_INVALID');
  });

  it('ends at its absolute limit, however much it is used', async () => {
    const { accounts, clock } = await openWithOwner({ settings: { sessionIdleMs: HOUR, sessionAbsoluteMs: 2 * HOUR } });
    const { token } = await accounts.login({ name: 'ada', password: PASSWORD });
    for (let count = 0; count < 11; count++) {
      clock.advance(10 * MINUTE);
      expect(await codeOf(accounts.authenticate(token))).toBe('done');
      await accounts.settled();
    }
    clock.advance(10 * MINUTE);
    expect(await codeOf(accounts.authenticate(token))).toBe('SESSION_INVALID');
  });

  it('made or seen by a clock that was ahead does not outlive its limits', async () => {
    const { accounts, clock } = await openWithOwner();
    const before = await accounts.login({ name: 'ada', password: PASSWORD });
    clock.advance(DAY);
    await accounts.authenticate(before.token);
    await accounts.settled();
    const during = await accounts.login({ name: 'ada', password: PASSWORD });
    clock.advance(-DAY);
    expect(await codeOf(accounts.authenticate(during.token))).toBe('SESSION_INVALID');
    expect(await codeOf(accounts.authenticate(before.token))).toBe('SESSION_INVALID');
  });

  it('is noted as seen at most once a minute, and the request does not wait for it', async () => {
    let transactions = 0;
    const { accounts, clock, keyspace, ada } = await openWithOwner({
      between: (engine) => ({
        ...engine,
        snapshot() {
          transactions += 1;
          return engine.snapshot();
        },
      }),
    });
    const { token } = await accounts.login({ name: 'ada', password: PASSWORD });
    const start = await keyspace.revision();
    clock.advance(59 * SECOND);
    transactions = 0;
    await accounts.authenticate(token);
    await accounts.settled();
    expect(await keyspace.revision()).toBe(start);
    expect(transactions).toBe(0);
    clock.advance(SECOND);
    await Promise.all(Array.from({ length: 20 }, () => accounts.authenticate(token)));
    await accounts.settled();
    expect(await keyspace.revision()).toBe(start + 1);
    const [session] = await accounts.listSessions(ada.id);
    expect(session).toMatchObject({ last_seen_at: '2026-01-19T12:01:00.000Z', created_at: '2026-01-19T12:00:00.000Z' });
  });

  it('is answered also when it cannot be noted as seen', async () => {
    const errors: unknown[] = [];
    let isFull = false;
    const { accounts, clock } = await openWithOwner({
      between: (engine) => ({
        ...engine,
        commit: (request) => (isFull ? Promise.reject(new Error('the disk is full')) : engine.commit(request)),
      }),
      onBackgroundError: (error) => errors.push(error),
    });
    const { token } = await accounts.login({ name: 'ada', password: PASSWORD });
    clock.advance(MINUTE);
    isFull = true;
    expect((await accounts.authenticate(token)).user.username).toBe('ada');
    await accounts.settled();
    expect(String(errors)).toContain('the disk is full');
  });

  it('is found in a number of reads that does not depend on how many there are', async () => {
    const reads: string[] = [];
    const note = (key: string) => reads.push(key.replace(/[0-9A-Z]{26}|[0-9a-f]{64}/, '…'));
    const { accounts } = await openWithOwner({
      between: (engine) => ({
        ...engine,
        get(key) {
          note(key);
          return engine.get(key);
        },
        getMany(keys) {
          keys.forEach(note);
          return engine.getMany(keys);
        },
        range(request) {
          reads.push('range');
          return engine.range(request);
        },
      }),
    });
    for (let count = 0; count < 30; count++) await accounts.login({ name: 'ada', password: PASSWORD });
    const { token } = await accounts.login({ name: 'ada', password: PASSWORD });
    reads.length = 0;
    await accounts.authenticate(token);
    expect(reads).toEqual(['idx:sess:hash:…', 'sess:…', 'u:…', 'authz:admin']);
  });

  it.each(['', 'x', 'hfs_', '\ud800', 'x'.repeat(100_000), '../../etc/passwd'])(
    'cannot be opened with %j',
    async (text) => {
      const { accounts } = await openWithOwner({ engine: 'memory' });
      expect(await codeOf(accounts.authenticate(text))).toBe('SESSION_INVALID');
    },
  );

  it('cannot be opened with its id or the hash that is stored', async () => {
    const { accounts, keyspace } = await openWithOwner();
    const { session } = await accounts.login({ name: 'ada', password: PASSWORD });
    const { token_hash } = JSON.parse((await storedKeys(keyspace))[`sess:${session.id}`] as string) as {
      token_hash: string;
    };
    for (const text of [session.id, token_hash, `hfs_${token_hash}`]) {
      expect(await codeOf(accounts.authenticate(text))).toBe('SESSION_INVALID');
    }
  });
});

describe('a user who is disabled', () => {
  it('is refused everywhere from the next request on', async () => {
    const { accounts } = await openWithOwner();
    const bo = await accounts.createUser({ username: 'bo', password: PASSWORD });
    const { token, deviceToken } = await accounts.login({ name: 'bo', password: PASSWORD });
    const { secret } = await accounts.createToken({ userId: bo.id, name: 'ci', scopes: ['admin'] });
    await accounts.setStatus({ userId: bo.id, status: 'disabled' });
    expect(await codeOf(accounts.authenticate(token))).toBe('SESSION_INVALID');
    expect(await codeOf(accounts.authenticate(secret))).toBe('TOKEN_INVALID');
    expect(await codeOf(accounts.login({ name: 'bo', password: PASSWORD, deviceToken }))).toBe('CREDENTIALS_WRONG');
    await accounts.setStatus({ userId: bo.id, status: 'active' });
    expect(await codeOf(accounts.authenticate(token))).toBe('SESSION_INVALID');
    expect(await codeOf(accounts.authenticate(secret))).toBe('done');
  });
});

describe('what somebody may do', () => {
  it('follows from the roles, as they are now', async () => {
    const { accounts } = await openWithOwner();
    const bo = await accounts.createUser({ username: 'bo', password: PASSWORD, roles: ['viewer'] });
    const { secret } = await accounts.createToken({ userId: bo.id, name: 'ci', scopes: ['write'] });
    const viewer = await accounts.authenticate(secret);
    expect(can(viewer, 'app:np:read')).toBe(true);
    expect(can(viewer, 'app:np:write')).toBe(false);
    await accounts.setRoles({ userId: bo.id, roles: ['user'] });
    const user = await accounts.authenticate(secret);
    expect(can(user, 'app:np:write')).toBe(true);
    expect(can(user, 'users:read')).toBe(false);
  });

  it('with a token is what both the user and the token allow', async () => {
    const { accounts, ada } = await openWithOwner();
    const make = async (scopes: string[]): Promise<(permission: string) => boolean> => {
      const { secret } = await accounts.createToken({ userId: ada.id, name: 'x', scopes });
      const principal = await accounts.authenticate(secret);
      return (permission) => can(principal, permission);
    };
    const reader = await make(['read']);
    expect([reader('app:np:read'), reader('system:read'), reader('app:np:write')]).toEqual([true, true, false]);
    const np = await make(['app:np', 'app:codex:read']);
    expect([np('app:np:admin'), np('app:codex:read'), np('app:codex:write'), np('users:read')]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    const writer = await make(['write']);
    expect([writer('users:write'), writer('account:admin')]).toEqual([true, false]);
  });

  it('with a session of any role includes their own account, and of an administrator everything', async () => {
    const { accounts } = await openWithOwner();
    await accounts.createUser({ username: 'bo', password: PASSWORD, roles: ['viewer'] });
    const ada = await accounts.authenticate((await accounts.login({ name: 'ada', password: PASSWORD })).token);
    const bo = await accounts.authenticate((await accounts.login({ name: 'bo', password: PASSWORD })).token);
    expect(can(bo, 'account:admin')).toBe(true);
    expect(can(bo, 'users:read')).toBe(false);
    for (const permission of ['system:admin', 'users:admin', 'app:anything:admin', 'account:admin']) {
      expect(can(ada, permission)).toBe(true);
    }
  });
});
