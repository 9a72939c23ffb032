import type { Keyspace } from '@holdfast/keyspace';
import { describe, expect, it } from 'vitest';

import { can } from './authenticate.ts';
import { codeOf, openWithOwner, PASSWORD, storedKeys } from '../../test/open.ts';

const DAY = 86_400_000;

/** Overwrites the values of these keys, as a failing disk or another program does. */
async function damage(keyspace: Keyspace, ...keys: readonly string[]): Promise<void> {
  await keyspace.transact(async (transaction) => {
    for (const key of keys) {
      expect(await transaction.readKey(key)).toBeDefined();
      transaction.writeKey(key, '{"damaged":');
    }
  });
}

/** Like `openWithOwner`; `reported` gets the key of each damaged record that is left out. */
async function openReporting() {
  const reported = new Set<string>();
  return { ...(await openWithOwner({ onUnreadable: (key) => void reported.add(key) })), reported };
}

describe('a damaged record', () => {
  it('is left out of every list and reported; the others stay', async () => {
    const { accounts, keyspace, ada, reported, clock } = await openReporting();
    const bo = await accounts.createUser({ username: 'bo', actor: ada.id });
    const first = await accounts.login({ name: 'ada', password: PASSWORD });
    const second = await accounts.login({ name: 'ada', password: PASSWORD });
    const [lost, kept] = await Promise.all(
      ['lost', 'kept'].map((name) => accounts.createToken({ userId: ada.id, name, scopes: ['read'] })),
    );
    for (const key of ['a', 'b']) await accounts.snooze({ userId: ada.id, key, until: clock() + DAY });
    const snoozed = Object.keys(await storedKeys(keyspace, 'snz:'));
    const audited = Object.keys(await storedKeys(keyspace, 'audit:'));
    const { items: events } = await accounts.listAudit();
    const damaged = [
      `u:${bo.id}`,
      `sess:${first.session.id}`,
      `tok:${lost!.token.id}`,
      'authz:viewer',
      snoozed[0]!,
      audited[0]!,
    ];
    await damage(keyspace, ...damaged);
    expect((await accounts.listUsers()).items.map(({ username }) => username)).toEqual(['ada']);
    expect((await accounts.listSessions(ada.id)).map(({ id }) => id)).toEqual([second.session.id]);
    expect((await accounts.listTokens(ada.id)).map(({ id }) => id)).toEqual([kept!.token.id]);
    expect((await accounts.listRoles()).map(({ role }) => role)).toEqual(['admin', 'user']);
    const untilOf = await accounts.listSnoozes(ada.id);
    expect([untilOf('a'), untilOf('b')].filter((until) => until !== undefined)).toHaveLength(1);
    expect((await accounts.listAudit()).items).toEqual(
      events.slice(0, -1).map((event) => (event.user_id === bo.id ? { ...event, username: null } : event)),
    );
    expect([...reported].toSorted()).toEqual(damaged.toSorted());
  });

  it('does not keep its user from signing in, also with the same browser', async () => {
    const { accounts, keyspace, reported } = await openReporting();
    const name = 'ada';
    const signedIn = await accounts.login({ name, password: PASSWORD });
    const program = { name, password: PASSWORD, program: 'player', scopes: ['read'], tokensMax: 1 };
    const { token } = await accounts.loginProgram(program);
    const devices = Object.keys(await storedKeys(keyspace, 'dev:'));
    await damage(keyspace, `sess:${signedIn.session.id}`, `tok:${token.id}`, ...devices, 'meta:auth:argon2_params');
    expect(await codeOf(accounts.authenticate(signedIn.token))).toBe('SESSION_INVALID');
    const again = { name, password: PASSWORD, sessionToken: signedIn.token, deviceToken: signedIn.deviceToken };
    const { token: secret } = await accounts.login(again);
    expect((await accounts.authenticate(secret)).user.username).toBe('ada');
    expect(await codeOf(accounts.loginProgram(program))).toBe('done');
    expect(reported.size).toBe(4);
  });

  it('does not stop the removal of expired ones', async () => {
    const { accounts, keyspace, clock, reported } = await openReporting();
    const damaged = (await accounts.login({ name: 'ada', password: PASSWORD })).session.id;
    await accounts.login({ name: 'ada', password: PASSWORD });
    await damage(keyspace, `sess:${damaged}`);
    clock.advance(4_000 * DAY);
    expect(await accounts.sweep()).toMatchObject({ sessions: 1, devices: 2 });
    expect(Object.keys(await storedKeys(keyspace, 'sess:'))).toEqual([`sess:${damaged}`]);
    expect(reported).toContain(`sess:${damaged}`);
  });
});

describe('a damaged record never grants anything', () => {
  it('a damaged role has no permissions', async () => {
    const { accounts, keyspace } = await openReporting();
    const { token } = await accounts.login({ name: 'ada', password: PASSWORD });
    expect(can(await accounts.authenticate(token), 'users:read')).toBe(true);
    await damage(keyspace, 'authz:admin');
    expect(can(await accounts.authenticate(token), 'users:read')).toBe(false);
  });

  it('a damaged administrator does not count as the remaining one', async () => {
    const { accounts, keyspace, ada } = await openReporting();
    const bo = await accounts.createUser({ username: 'bo', roles: ['admin'] });
    await damage(keyspace, `u:${bo.id}`);
    expect(await codeOf(accounts.setRoles({ userId: ada.id, roles: ['user'] }))).toBe('LAST_ADMIN');
  });

  it.each<[string, (opened: Awaited<ReturnType<typeof openReporting>>) => Promise<unknown>]>([
    ['ending all sessions', ({ accounts, ada }) => accounts.revokeSessions({ userId: ada.id })],
    ['setting a password', ({ accounts, ada }) => accounts.setPassword({ userId: ada.id, password: `${PASSWORD}!` })],
  ])('%s fails, because a repair could make a damaged session valid again', async (_, act) => {
    const opened = await openReporting();
    const { session } = await opened.accounts.login({ name: 'ada', password: PASSWORD });
    await damage(opened.keyspace, `sess:${session.id}`);
    expect(await codeOf(act(opened))).toBe('VALUE_UNREADABLE');
  });

  it('a damaged reply does not let its request run twice', async () => {
    const { accounts, keyspace, ada, clock } = await openReporting();
    const id = { userId: ada.id, keyHash: 'ab' };
    await accounts.rememberReply(id, { fingerprint: 'f', status: 200, headers: {}, body: '' }, clock() + DAY);
    await damage(keyspace, ...Object.keys(await storedKeys(keyspace, 'idem:')));
    expect(await codeOf(accounts.findReply(id))).toBe('VALUE_UNREADABLE');
  });
});
