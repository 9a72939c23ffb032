import { DAY, SECOND } from '@holdfast/base';
import { describe, expect, it } from 'vitest';

import { sessions } from '../store/schema.ts';
import { codeOf, openWithOwner, PASSWORD, storedKeys } from '../../test/open.ts';

const nothing = { sessions: 0, devices: 0, tokens: 0, throttles: 0, replies: 0, snoozes: 0, audit: 0, more: false };

describe('the sweeper', () => {
  it('removes sessions that are over, with their index entries, and no other', async () => {
    const { accounts, clock, keyspace, ada } = await openWithOwner();
    await accounts.login({ name: 'ada', password: PASSWORD });
    const ended = await accounts.login({ name: 'ada', password: PASSWORD });
    await accounts.logout(ended.token);
    clock.advance(7 * DAY - 1);
    const kept = await accounts.login({ name: 'ada', password: PASSWORD });
    expect(await accounts.sweep()).toEqual({ ...nothing, sessions: 1 });
    clock.advance(2);
    expect(await accounts.sweep()).toEqual({ ...nothing, sessions: 1 });
    expect(Object.keys(await storedKeys(keyspace, 'sess:'))).toEqual([`sess:${kept.session.id}`]);
    const indexes = Object.keys(await storedKeys(keyspace, 'idx:sess:'));
    expect(indexes.filter((key) => key.startsWith('idx:sess:user:'))).toEqual([
      `idx:sess:user:${ada.id}:${kept.session.id}`,
    ]);
    expect(indexes).toHaveLength(3);
    expect(await codeOf(accounts.authenticate(kept.token))).toBe('done');
    expect((await keyspace.verify()).problems).toEqual([]);
  });

  it('does nothing, and writes nothing, when there is nothing to do', async () => {
    const { accounts, keyspace } = await openWithOwner();
    const before = await keyspace.revision();
    expect(await accounts.sweep()).toEqual(nothing);
    expect(await keyspace.revision()).toBe(before);
  });

  it('works in batches, each a commit of its own', async () => {
    const { accounts, clock, keyspace } = await openWithOwner({ engine: 'memory' });
    const { session } = await accounts.login({ name: 'ada', password: PASSWORD });
    const made = await keyspace.get(sessions, { id: session.id });
    await keyspace.transact(async (tx) => {
      for (let count = 0; count < 450; count++) {
        const id = `01HX${String(count).padStart(22, '0')}`;
        const token_hash = String(count).padStart(64, '0');
        await tx.put(sessions, { id }, { ...made!, id, token_hash });
      }
    });
    clock.advance(8 * DAY);
    const before = await keyspace.revision();
    expect((await accounts.sweep()).sessions).toBe(451);
    expect((await keyspace.revision()) - before).toBe(3);
    expect(await storedKeys(keyspace, 'idx:sess:')).toEqual({});
  });

  it('shows expired tokens for a month before it removes them', async () => {
    const { accounts, clock, ada } = await openWithOwner();
    const expiresAt = clock() + DAY;
    await accounts.createToken({ userId: ada.id, name: 'short', scopes: ['read'], expiresAt });
    await accounts.createToken({ userId: ada.id, name: 'long', scopes: ['read'] });
    clock.advance(31 * DAY);
    expect(await accounts.sweep()).toEqual(nothing);
    clock.advance(SECOND);
    expect(await accounts.sweep()).toEqual({ ...nothing, tokens: 1 });
    expect((await accounts.listTokens(ada.id)).map(({ name }) => name)).toEqual(['long']);
  });

  it('forgets browsers that did not come back', async () => {
    const { accounts, clock } = await openWithOwner();
    await accounts.login({ name: 'ada', password: PASSWORD });
    clock.advance(180 * DAY + 1);
    expect(await accounts.sweep()).toEqual({ ...nothing, sessions: 1, devices: 1, throttles: 1 });
  });

  it('shortens the audit log by age and by number, and always keeps the newest', async () => {
    const settings = { auditEntriesMin: 5, auditEntriesMax: 20, auditKeptMs: 10 * DAY };
    const { accounts, clock, keyspace, ada } = await openWithOwner({ settings, engine: 'memory' });
    const entries = async (): Promise<number[]> =>
      (await accounts.listAudit({ limit: 500 })).items.map(({ seq }) => seq);
    for (let count = 0; count < 29; count++) await accounts.revokeSessions({ userId: ada.id });
    expect(await accounts.sweep()).toEqual({ ...nothing, audit: 10 });
    expect(await entries()).toEqual(Array.from({ length: 20 }, (_, index) => 30 - index));
    clock.advance(10 * DAY + 1);
    expect(await accounts.sweep()).toEqual({ ...nothing, audit: 15 });
    expect(await entries()).toEqual([30, 29, 28, 27, 26]);
    await accounts.revokeSessions({ userId: ada.id });
    expect((await entries())[0]).toBe(31);
    const { problems } = await keyspace.verify();
    // A trimmed log starts at a later number; that is the only allowed finding.
    expect(problems.filter(({ kind, detail }) => kind !== 'log_gap' || detail !== 'follows number 0')).toEqual([]);
  });

  it('gets along with sign-ins at the same time', async () => {
    const { accounts, clock, keyspace } = await openWithOwner();
    for (let count = 0; count < 5; count++) await accounts.login({ name: 'ada', password: PASSWORD });
    clock.advance(8 * DAY);
    const [swept, again, ...signedIn] = await Promise.all([
      accounts.sweep(),
      accounts.sweep(),
      accounts.login({ name: 'ada', password: PASSWORD }),
      accounts.login({ name: 'ada', password: PASSWORD }),
    ]);
    expect(swept.sessions + again.sessions).toBe(5);
    for (const { token } of signedIn) expect(await codeOf(accounts.authenticate(token))).toBe('done');
    expect((await keyspace.verify()).problems).toEqual([]);
  });

  it('runs by a timer until it is stopped, and survives a failure', async () => {
    const errors: unknown[] = [];
    let isLocked = false;
    let seen = (): void => undefined;
    const { accounts } = await openWithOwner({
      between: (engine) => ({
        ...engine,
        snapshot() {
          seen();
          if (isLocked) throw new Error('locked');
          return engine.snapshot();
        },
      }),
    });
    const nextSweep = (): Promise<void> => new Promise((resolve) => (seen = resolve));
    isLocked = true;
    const timer = accounts.startSweeper(5, (error) => errors.push(error));
    await nextSweep();
    isLocked = false;
    await nextSweep();
    await timer.stop();
    expect(String(errors[0])).toContain('locked');
  });
});
