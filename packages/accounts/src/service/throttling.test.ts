import { HOUR, MINUTE, SECOND } from '@holdfast/base';
import { describe, expect, it } from 'vitest';

import { argon2Hasher } from '../adapters/argon2.ts';
import type { Accounts } from '../index.ts';
import type { Hasher } from '../adapters/argon2.ts';
import { codeOf, open, openWithOwner, PASSWORD, storedKeys, testClock } from '../../test/open.ts';

const here = { ip: '203.0.113.7' };
const elsewhere = { ip: '198.51.100.9' };

async function fail(accounts: Accounts, times: number, name = 'ada', source = here): Promise<string[]> {
  const codes = [];
  for (let count = 0; count < times; count++) {
    codes.push(await codeOf(accounts.login({ name, password: 'wrong password', source })));
  }
  return codes;
}

describe('guessing passwords', () => {
  it('is slowed down more with each failure, and the error says for how long', async () => {
    const { accounts, clock } = await openWithOwner();
    expect(new Set(await fail(accounts, 6))).toEqual(new Set(['CREDENTIALS_WRONG']));
    const error = await accounts.login({ name: 'ada', password: PASSWORD, source: here }).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'LOGIN_THROTTLED', details: { retry_after_ms: SECOND } });
    expect(error.message).toContain('in 1 second');
    clock.advance(SECOND);
    expect(await fail(accounts, 2)).toEqual(['CREDENTIALS_WRONG', 'LOGIN_THROTTLED']);
    clock.advance(SECOND);
    expect(await fail(accounts, 1)).toEqual(['LOGIN_THROTTLED']);
    clock.advance(SECOND);
    expect(await codeOf(accounts.login({ name: 'ada', password: PASSWORD, source: here }))).toBe('done');
  });

  it('gets no further by trying a thousand at once', async () => {
    const { accounts } = await openWithOwner({ hashing: { parallel: 4, waiting: 1_000 } });
    const attempts = Array.from({ length: 60 }, () =>
      codeOf(accounts.login({ name: 'ada', password: 'wrong password', source: here })),
    );
    const codes = await Promise.all(attempts);
    expect(codes.filter((code) => code === 'CREDENTIALS_WRONG')).toHaveLength(6);
    expect(codes.filter((code) => code === 'LOGIN_THROTTLED')).toHaveLength(54);
  });

  it('is counted per account, by whatever name it is called', async () => {
    const { accounts } = await openWithOwner();
    await fail(accounts, 3, 'ada');
    await fail(accounts, 3, 'ADA@example.org');
    expect(await fail(accounts, 1, 'Ada')).toEqual(['LOGIN_THROTTLED']);
  });

  it('is counted for names that nobody has as for those that somebody has', async () => {
    const { accounts } = await openWithOwner();
    expect(await fail(accounts, 8, 'nobody')).toEqual(await fail(accounts, 8, 'ada', elsewhere));
  });

  it('of many accounts from one place is slowed down too', async () => {
    const { accounts } = await openWithOwner();
    const codes = [];
    for (let count = 0; count < 30; count++) codes.push(...(await fail(accounts, 1, `name${count}`)));
    expect(codes.filter((code) => code === 'CREDENTIALS_WRONG')).toHaveLength(21);
    expect(codes.at(-1)).toBe('LOGIN_THROTTLED');
  });

  it('from many addresses of one IPv6 network is from one place', async () => {
    const { accounts } = await openWithOwner();
    const codes = [];
    for (let count = 0; count < 8; count++) {
      codes.push(...(await fail(accounts, 1, 'ada', { ip: `2001:db8::${count.toString(16)}` })));
    }
    expect(codes.slice(-2)).toEqual(['LOGIN_THROTTLED', 'LOGIN_THROTTLED']);
  });

  it('is not forgiven to a place for signing in to an account of its own in between', async () => {
    const { accounts } = await openWithOwner();
    const codes = [];
    for (let count = 0; count < 30; count++) {
      if (count === 10 || count === 20) {
        const name = `mallory${count}`;
        await accounts.createUser({ username: name, password: PASSWORD });
        await accounts.login({ name, password: PASSWORD, source: here });
      }
      codes.push(...(await fail(accounts, 1, `name${count}`)));
    }
    expect(codes.filter((code) => code === 'CREDENTIALS_WRONG')).toHaveLength(21);
  });

  it('is remembered across a restart', async () => {
    const clock = testClock();
    const { accounts, path, keyspace } = await openWithOwner({ clock });
    await fail(accounts, 10);
    clock.advance(SECOND);
    await fail(accounts, 1);
    await accounts.settled();
    await keyspace.close();
    const again = await open({ path, clock });
    expect(await fail(again.accounts, 1)).toEqual(['LOGIN_THROTTLED']);
  });

  it('does not lengthen the pause by asking during it', async () => {
    const { accounts, clock } = await openWithOwner();
    await fail(accounts, 6);
    await fail(accounts, 50);
    clock.advance(SECOND);
    expect(await codeOf(accounts.login({ name: 'ada', password: PASSWORD, source: here }))).toBe('done');
  });

  it('is not what a password that was never looked at counts as', async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const hasher: Hasher = { ...argon2Hasher, verify: (...args) => gate.then(() => argon2Hasher.verify(...args)) };
    const { accounts, keyspace } = await openWithOwner({ hasher, hashing: { parallel: 1, waiting: 0 } });
    const first = accounts.login({ name: 'ada', password: PASSWORD, source: elsewhere });
    while (Object.keys(await storedKeys(keyspace, 'thr:')).length < 2) await new Promise((next) => setImmediate(next));
    expect(new Set(await fail(accounts, 30))).toEqual(new Set(['HASHING_BUSY']));
    release();
    await first;
    expect(Object.keys(await storedKeys(keyspace, 'thr:'))).toHaveLength(1);
    expect(await fail(accounts, 1)).toEqual(['CREDENTIALS_WRONG']);
  });
});

describe('nobody can be locked out', () => {
  it('from another place', async () => {
    const { accounts } = await openWithOwner();
    await fail(accounts, 50);
    expect(await codeOf(accounts.login({ name: 'ada', password: PASSWORD, source: elsewhere }))).toBe('done');
  });

  it('by strangers at the same address, in a browser that signed in before', async () => {
    const { accounts } = await openWithOwner();
    const { deviceToken, token } = await accounts.login({ name: 'ada', password: PASSWORD, source: here });
    await accounts.logout(token);
    await fail(accounts, 50);
    const again = await accounts.login({ name: 'ada', password: PASSWORD, source: here, deviceToken });
    expect(again.deviceToken).toBeUndefined();
    expect(await codeOf(accounts.login({ name: 'ada', password: PASSWORD, source: here }))).toBe('LOGIN_THROTTLED');
  });

  it('by strangers at the same address, in a browser with a session', async () => {
    const { accounts } = await openWithOwner();
    const { token } = await accounts.login({ name: 'ada', password: PASSWORD, source: here });
    await fail(accounts, 50);
    const login = accounts.login({ name: 'ada', password: PASSWORD, source: here, sessionToken: token });
    expect(await codeOf(login)).toBe('done');
  });

  it('by strangers who try other accounts at an address that the user signs in from', async () => {
    const { accounts } = await openWithOwner();
    await accounts.login({ name: 'ada', password: PASSWORD, source: here });
    for (let count = 0; count < 30; count++) await fail(accounts, 1, `name${count}`);
    expect(await fail(accounts, 1, 'someone')).toEqual(['LOGIN_THROTTLED']);
    expect(await codeOf(accounts.login({ name: 'ada', password: PASSWORD, source: here }))).toBe('done');
  });

  it('for longer than a quarter of an hour, even by the clock', async () => {
    const { accounts, clock } = await openWithOwner();
    for (let count = 0; count < 12; count++) {
      await fail(accounts, 6);
      clock.advance(20 * MINUTE);
    }
    clock.advance(-20 * MINUTE + 15 * MINUTE);
    expect(await codeOf(accounts.login({ name: 'ada', password: PASSWORD, source: here }))).toBe('done');
    await fail(accounts, 50);
    clock.advance(-90 * 24 * HOUR);
    expect(await codeOf(accounts.login({ name: 'ada', password: PASSWORD, source: here }))).toBe('done');
  });
});

describe('a browser that signed in before', () => {
  it('is slowed down as well when it guesses', async () => {
    const { accounts } = await openWithOwner();
    const { deviceToken } = await accounts.login({ name: 'ada', password: PASSWORD, source: here });
    const guess = (): Promise<string> =>
      codeOf(accounts.login({ name: 'ada', password: 'wrong password', source: here, deviceToken }));
    for (let count = 0; count < 6; count++) expect(await guess()).toBe('CREDENTIALS_WRONG');
    expect(await guess()).toBe('LOGIN_THROTTLED');
  });

  it('has no advantage with other accounts, nor opens anything by itself', async () => {
    const { accounts } = await openWithOwner();
    await accounts.createUser({ username: 'bo', password: PASSWORD });
    const { deviceToken } = await accounts.login({ name: 'bo', password: PASSWORD, source: elsewhere });
    await fail(accounts, 50);
    const login = accounts.login({ name: 'ada', password: PASSWORD, source: here, deviceToken });
    expect(await codeOf(login)).toBe('LOGIN_THROTTLED');
    expect(await codeOf(accounts.authenticate(deviceToken!))).toBe('SESSION_INVALID');
  });

  it('is forgotten with "sign out everywhere"', async () => {
    const { accounts, ada } = await openWithOwner();
    const { deviceToken } = await accounts.login({ name: 'ada', password: PASSWORD, source: here });
    await accounts.revokeSessions({ userId: ada.id });
    await fail(accounts, 50);
    const login = accounts.login({ name: 'ada', password: PASSWORD, source: here, deviceToken });
    expect(await codeOf(login)).toBe('LOGIN_THROTTLED');
  });
});

describe('the counters', () => {
  it('do not grow without limit, and go when they are forgotten', async () => {
    const { accounts, clock, keyspace } = await openWithOwner({ engine: 'memory' });
    for (let count = 0; count < 100; count++) await fail(accounts, 1, `name${count}`);
    expect(Object.keys(await storedKeys(keyspace, 'thr:')).length).toBeLessThanOrEqual(22);
    clock.advance(HOUR + SECOND);
    expect((await accounts.sweep()).throttles).toBe(22);
    expect(await storedKeys(keyspace, 'thr:')).toEqual({});
    expect(await storedKeys(keyspace, 'idx:thr:')).toEqual({});
  });

  it('do not hold what was typed as a name', async () => {
    const { accounts, keyspace } = await openWithOwner();
    await fail(accounts, 1, 'hunter2hunter2');
    expect(JSON.stringify(await storedKeys(keyspace))).not.toContain('hunter2');
  });
});
