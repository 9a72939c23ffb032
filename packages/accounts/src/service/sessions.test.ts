import { DAY } from '@holdfast/base';
import { describe, expect, it } from 'vitest';

import { codeOf, openWithOwner, PASSWORD } from '../../test/open.ts';

describe('the list of sessions', () => {
  it('says from where and when, shows no secret, and leaves out what is over', async () => {
    const { accounts, ada, clock } = await openWithOwner();
    const old = await accounts.login({ name: 'ada', password: PASSWORD });
    clock.advance(8 * DAY);
    const gone = await accounts.login({ name: 'ada', password: PASSWORD });
    const kept = await accounts.login({
      name: 'ada',
      password: PASSWORD,
      source: { ip: '::ffff:203.0.113.7', userAgent: 'Firefox' },
    });
    await accounts.logout(gone.token);
    expect(await accounts.listSessions(ada.id)).toEqual([
      {
        id: kept.session.id,
        user_id: ada.id,
        created_at: '2026-01-27T12:00:00.000Z',
        last_seen_at: '2026-01-27T12:00:00.000Z',
        expires_at: '2026-02-26T12:00:00.000Z',
        idle_expires_at: '2026-02-03T12:00:00.000Z',
        ip: '203.0.113.7',
        user_agent: 'Firefox',
      },
    ]);
    expect(await codeOf(accounts.authenticate(old.token))).toBe('SESSION_INVALID');
  });
});

describe('ending sessions', () => {
  it('ends one, and only of the user who is named', async () => {
    const { accounts, ada } = await openWithOwner();
    const bo = await accounts.createUser({ username: 'bo', password: PASSWORD });
    const [one, two] = [
      await accounts.login({ name: 'ada', password: PASSWORD }),
      await accounts.login({ name: 'ada', password: PASSWORD }),
    ];
    const steal = accounts.revokeSession({ userId: bo.id, sessionId: one.session.id });
    expect(await codeOf(steal)).toBe('SESSION_NOT_FOUND');
    await accounts.revokeSession({ userId: ada.id, sessionId: one.session.id });
    expect(await codeOf(accounts.authenticate(one.token))).toBe('SESSION_INVALID');
    expect(await codeOf(accounts.authenticate(two.token))).toBe('done');
    for (const sessionId of [one.session.id, 'x', '', 'a:b']) {
      expect(await codeOf(accounts.revokeSession({ userId: ada.id, sessionId }))).toBe('SESSION_NOT_FOUND');
    }
  });

  it('ends all but the one that asks', async () => {
    const { accounts, ada } = await openWithOwner();
    await accounts.createUser({ username: 'bo', password: PASSWORD });
    const bo = await accounts.login({ name: 'bo', password: PASSWORD });
    const mine = await accounts.login({ name: 'ada', password: PASSWORD });
    const others = [
      await accounts.login({ name: 'ada', password: PASSWORD }),
      await accounts.login({ name: 'ada', password: PASSWORD }),
    ];
    expect(await accounts.revokeSessions({ userId: ada.id, exceptSessionId: mine.session.id })).toBe(2);
    for (const { token } of others) expect(await codeOf(accounts.authenticate(token))).toBe('SESSION_INVALID');
    for (const { token } of [mine, bo]) expect(await codeOf(accounts.authenticate(token))).toBe('done');
    expect(await accounts.revokeSessions({ userId: ada.id })).toBe(1);
    expect(await codeOf(accounts.authenticate(mine.token))).toBe('SESSION_INVALID');
  });
});
