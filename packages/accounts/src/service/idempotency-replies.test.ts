import { DAY } from '@holdfast/base';
import { describe, expect, it } from 'vitest';

import { codeOf, open, openWithOwner, storedKeys } from '../../test/open.ts';

const reply = { fingerprint: 'f1', status: 201, headers: { location: '/x/1' }, body: '{"id":1}' };

describe('the answer to a request with an Idempotency-Key', () => {
  it('is kept under the user and the hash of the key, where everybody can see it', async () => {
    const { accounts, clock, keyspace, ada } = await openWithOwner();
    await accounts.rememberReply({ userId: ada.id, keyHash: 'kH_1-' }, reply, clock() + DAY);
    const stored = await storedKeys(keyspace, 'idem:');
    expect(stored).toEqual({
      [`idem:${ada.id}:kH_1-`]:
        `{"user_id":"${ada.id}","key_hash":"kH_1-","fingerprint":"f1","status":201,"headers":{"location":"/x/1"},` +
        `"body":"{\\"id\\":1}","created_at":"2026-01-19T12:00:00.000Z","expires_at":"2026-01-20T12:00:00.000Z","version":1}`,
    });
    const at = String(clock() + DAY).padStart(15, '0');
    expect(await storedKeys(keyspace, 'idx:idem:')).toEqual({ [`idx:idem:exp:${at}:${ada.id}:kH_1-`]: '1' });
    expect((await keyspace.verify()).problems).toEqual([]);
  });

  it('is found again by whoever opens the database later, and only for its user', async () => {
    const { accounts, clock, ada, path } = await openWithOwner();
    const bo = await accounts.createUser({ username: 'bo' });
    await accounts.rememberReply({ userId: ada.id, keyHash: 'k' }, reply, clock() + DAY);
    const later = await open({ path, clock });
    expect(await later.accounts.findReply({ userId: ada.id, keyHash: 'k' })).toEqual(reply);
    expect(await later.accounts.findReply({ userId: bo.id, keyHash: 'k' })).toBeUndefined();
  });

  it('ends when its time is over, and the sweeper then removes it with its index entry', async () => {
    const { accounts, clock, keyspace, ada } = await openWithOwner();
    const id = { userId: ada.id, keyHash: 'k' };
    await accounts.rememberReply(id, reply, clock() + DAY);
    await accounts.rememberReply({ ...id, keyHash: 'later' }, reply, clock() + 2 * DAY);
    clock.advance(DAY - 1);
    expect(await accounts.findReply(id)).toEqual(reply);
    expect((await accounts.sweep()).replies).toBe(0);
    clock.advance(1);
    expect(await accounts.findReply(id)).toBeUndefined();
    clock.advance(1);
    expect((await accounts.sweep()).replies).toBe(1);
    expect(Object.keys(await storedKeys(keyspace, 'idem:'))).toEqual([`idem:${ada.id}:later`]);
    expect(Object.keys(await storedKeys(keyspace, 'idx:idem:'))).toHaveLength(1);
  });

  it('goes with its user, and does not come back for one who is gone', async () => {
    const { accounts, clock, keyspace } = await openWithOwner();
    const bo = await accounts.createUser({ username: 'bo' });
    const id = { userId: bo.id, keyHash: 'k' };
    await accounts.rememberReply(id, reply, clock() + DAY);
    await accounts.deleteUser({ userId: bo.id });
    expect(await codeOf(accounts.rememberReply(id, reply, clock() + DAY))).toBe('USER_NOT_FOUND');
    expect({ ...(await storedKeys(keyspace, 'idem:')), ...(await storedKeys(keyspace, 'idx:idem:')) }).toEqual({});
  });
});
