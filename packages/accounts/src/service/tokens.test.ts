import { DAY, MINUTE } from '@holdfast/base';
import { describe, expect, it } from 'vitest';

import { codeOf, openWithOwner, PASSWORD } from '../../test/open.ts';

describe('a personal token', () => {
  it('is shown once, can be recognised in the list, and says when it was used', async () => {
    const { accounts, ada, clock } = await openWithOwner();
    const { secret, token } = await accounts.createToken({ userId: ada.id, name: ' CI ', scopes: ['read', 'read'] });
    expect(secret).toMatch(/^hf_[0-9A-Za-z]{49}$/);
    clock.advance(MINUTE);
    await Promise.all(Array.from({ length: 10 }, () => accounts.authenticate(secret)));
    await accounts.settled();
    expect(await accounts.listTokens(ada.id)).toEqual([
      {
        id: token.id,
        user_id: ada.id,
        name: 'CI',
        scopes: ['read'],
        starts_with: secret.slice(0, 7),
        created_at: '2026-01-19T12:00:00.000Z',
        expires_at: null,
        last_used_at: '2026-01-19T12:01:00.000Z',
      },
    ]);
  });

  it('ends when it is revoked, by its user only', async () => {
    const { accounts, ada } = await openWithOwner();
    const bo = await accounts.createUser({ username: 'bo' });
    const { secret, token } = await accounts.createToken({ userId: ada.id, name: 'ci', scopes: ['read'] });
    expect(await codeOf(accounts.revokeToken({ userId: bo.id, tokenId: token.id }))).toBe('TOKEN_NOT_FOUND');
    expect((await accounts.authenticate(secret)).scopes).toEqual(['read']);
    await accounts.revokeToken({ userId: ada.id, tokenId: token.id });
    expect(await codeOf(accounts.authenticate(secret))).toBe('TOKEN_INVALID');
    expect(await codeOf(accounts.revokeToken({ userId: ada.id, tokenId: token.id }))).toBe('TOKEN_NOT_FOUND');
    expect(await accounts.listTokens(ada.id)).toEqual([]);
  });

  it('ends when it expires, to the millisecond, and also when the clock was ahead when it was made', async () => {
    const { accounts, ada, clock } = await openWithOwner();
    const make = async (): Promise<string> => {
      const expiresAt = clock() + DAY;
      return (await accounts.createToken({ userId: ada.id, name: 'ci', scopes: ['read'], expiresAt })).secret;
    };
    const secret = await make();
    clock.advance(DAY - 1);
    expect(await codeOf(accounts.authenticate(secret))).toBe('done');
    clock.advance(1);
    expect(await codeOf(accounts.authenticate(secret))).toBe('TOKEN_INVALID');
    const early = await make();
    clock.advance(-DAY);
    expect(await codeOf(accounts.authenticate(early))).toBe('TOKEN_INVALID');
  });

  it('can have its end as far away as dates go', async () => {
    const { accounts, ada, keyspace } = await openWithOwner();
    const expiresAt = Date.UTC(9999, 0, 1);
    const { secret } = await accounts.createToken({ userId: ada.id, name: 'x', scopes: ['read'], expiresAt });
    expect(await codeOf(accounts.authenticate(secret))).toBe('done');
    expect((await keyspace.verify()).problems).toEqual([]);
  });

  it('without an end does not care about the clock', async () => {
    const { accounts, ada, clock } = await openWithOwner();
    const { secret } = await accounts.createToken({ userId: ada.id, name: 'ci', scopes: ['read'] });
    clock.advance(-DAY);
    expect(await codeOf(accounts.authenticate(secret))).toBe('done');
    clock.advance(4_000 * DAY);
    expect(await codeOf(accounts.authenticate(secret))).toBe('done');
  });

  it('is no session and cannot become one', async () => {
    const { accounts, ada } = await openWithOwner();
    const { secret } = await accounts.createToken({ userId: ada.id, name: 'ci', scopes: ['admin'] });
    const { token } = await accounts.login({ name: 'ada', password: PASSWORD, sessionToken: secret });
    expect(await codeOf(accounts.authenticate(secret))).toBe('done');
    expect(await codeOf(accounts.authenticate(token))).toBe('done');
  });

  it('needs a name, a scope and an end that lies ahead', async () => {
    const { accounts, ada, clock } = await openWithOwner();
    const good = { userId: ada.id, name: 'ci', scopes: ['read'] };
    const wrong = [
      { name: '' },
      { name: 'x'.repeat(65) },
      { name: 'a\nb' },
      { name: 'a\u202eb' },
      { scopes: [] },
      { scopes: ['everything'] },
      { scopes: ['read', 'hf_secret-in-the-wrong-place'] },
      { scopes: Array.from({ length: 21 }, () => 'read') },
      { expiresAt: clock() },
      { expiresAt: Number.NaN },
      { expiresAt: Number.POSITIVE_INFINITY },
    ];
    for (const parts of wrong) {
      const error = await accounts.createToken({ ...good, ...parts }).catch((thrown) => thrown);
      expect(error).toMatchObject({ code: 'TOKEN_REQUEST_INVALID' });
      expect(error.message).not.toContain('secret');
    }
    expect(await codeOf(accounts.createToken({ ...good, userId: 'x' }))).toBe('USER_NOT_FOUND');
  });

  it('is one of a hundred at most, also when they are made at once', async () => {
    const { accounts, ada } = await openWithOwner({ engine: 'memory' });
    const make = (): Promise<string> => codeOf(accounts.createToken({ userId: ada.id, name: 'x', scopes: ['read'] }));
    const codes = await Promise.all(Array.from({ length: 110 }, make));
    expect(codes.filter((code) => code === 'done')).toHaveLength(100);
    expect(codes.filter((code) => code === 'TOKEN_LIMIT')).toHaveLength(10);
  });
});
