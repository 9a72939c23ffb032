import { DAY, HOUR } from '@holdfast/base';
import { describe, expect, it } from 'vitest';

import { codeOf, open, openWithOwner, PASSWORD, storedKeys } from '../../test/open.ts';

const owner = { username: 'ada', password: PASSWORD };

describe('the one-time link', () => {
  it('makes the owner, signs them in, and works once', async () => {
    const { accounts } = await open();
    expect(await accounts.setupState()).toBe('no_owner');
    const { secret, expires_at } = await accounts.createSetupLink();
    expect(expires_at).toBe('2026-01-19T13:00:00.000Z');
    const { user, token } = await accounts.redeemSetupLink({ secret, ...owner });
    expect(user).toMatchObject({ username: 'ada', roles: ['admin'] });
    expect((await accounts.authenticate(token)).user.id).toBe(user.id);
    expect(await accounts.setupState()).toBe('done');
    const again = accounts.redeemSetupLink({ secret, username: 'eve', password: PASSWORD });
    expect(await codeOf(again)).toBe('SETUP_LINK_INVALID');
    expect(await codeOf(accounts.createSetupLink())).toBe('OWNER_EXISTS');
    expect(await codeOf(accounts.login({ name: 'ada', password: PASSWORD }))).toBe('done');
  });

  for (const engine of ['sqlite', 'memory'] as const) {
    it(`makes exactly one owner, however many use it at once (${engine})`, async () => {
      const { accounts, keyspace } = await open({ engine });
      const { secret } = await accounts.createSetupLink();
      const codes = await Promise.all(
        Array.from({ length: 15 }, (_, index) =>
          codeOf(accounts.redeemSetupLink({ secret, username: `owner${index}`, password: PASSWORD })),
        ),
      );
      expect(codes.filter((code) => code === 'done')).toHaveLength(1);
      expect(codes.filter((code) => code === 'SETUP_LINK_INVALID')).toHaveLength(14);
      for (const prefix of ['u:', 'ua:', 'sess:']) {
        expect(Object.keys(await storedKeys(keyspace, prefix))).toHaveLength(1);
      }
      expect(await storedKeys(keyspace, 'meta:auth:setup')).toEqual({});
    });
  }

  it('expires, also when the clock goes back', async () => {
    const { accounts, clock } = await open();
    const { secret } = await accounts.createSetupLink();
    clock.advance(HOUR);
    expect(await codeOf(accounts.redeemSetupLink({ secret, ...owner }))).toBe('SETUP_LINK_INVALID');
    clock.advance(-DAY);
    expect(await codeOf(accounts.redeemSetupLink({ secret, ...owner }))).toBe('SETUP_LINK_INVALID');
  });

  it('is replaced by a newer one', async () => {
    const { accounts } = await open();
    const old = await accounts.createSetupLink();
    const { secret } = await accounts.createSetupLink();
    expect(await codeOf(accounts.redeemSetupLink({ secret: old.secret, ...owner }))).toBe('SETUP_LINK_INVALID');
    expect(await codeOf(accounts.redeemSetupLink({ secret, ...owner }))).toBe('done');
  });

  it('survives a mistake in the form', async () => {
    const { accounts } = await open();
    const { secret } = await accounts.createSetupLink();
    const short = accounts.redeemSetupLink({ secret, username: 'ada', password: 'short' });
    expect(await codeOf(short)).toBe('PASSWORD_WEAK');
    expect(await codeOf(accounts.redeemSetupLink({ secret, ...owner }))).toBe('done');
  });

  it.each(['', 'x', 'hfo_'])('is not %j', async (secret) => {
    const { accounts } = await open();
    expect(await codeOf(accounts.redeemSetupLink({ secret, ...owner }))).toBe('SETUP_LINK_INVALID');
    await accounts.createSetupLink();
    expect(await codeOf(accounts.redeemSetupLink({ secret, ...owner }))).toBe('SETUP_LINK_INVALID');
  });

  it('gives the owner that the command line made a password, and their tokens go on working', async () => {
    const { accounts } = await open();
    const { user, created } = await accounts.ensureOwner({ username: 'root' });
    expect(created).toBe(true);
    const token = await accounts.createToken({ userId: user.id, name: 'ci', scopes: ['admin'] });
    expect(await accounts.setupState()).toBe('no_password');
    const { secret } = await accounts.createSetupLink();
    const signedIn = await accounts.redeemSetupLink({ secret, ...owner });
    expect(signedIn.user).toMatchObject({ id: user.id, username: 'ada' });
    expect((await accounts.authenticate(token.secret)).user.username).toBe('ada');
    expect(await accounts.setupState()).toBe('done');
    expect((await accounts.listUsers()).items).toHaveLength(1);
  });

  it('does nothing any more once the command line has made an owner with a password', async () => {
    const { accounts } = await open();
    const { secret } = await accounts.createSetupLink();
    await accounts.createOwner(owner);
    const use = accounts.redeemSetupLink({ secret, username: 'eve', password: PASSWORD });
    expect(await codeOf(use)).toBe('SETUP_LINK_INVALID');
  });

  it('does not come back when the owner is deleted or disabled', async () => {
    const { accounts, ada } = await openWithOwner();
    await accounts.createUser({ username: 'bo', password: PASSWORD, roles: ['admin'] });
    await accounts.setStatus({ userId: ada.id, status: 'disabled' });
    expect(await accounts.setupState()).toBe('done');
    await accounts.deleteUser({ userId: ada.id });
    expect(await accounts.setupState()).toBe('done');
    expect(await codeOf(accounts.createSetupLink())).toBe('OWNER_EXISTS');
    expect(await codeOf(accounts.createOwner({ username: 'eve' }))).toBe('OWNER_EXISTS');
  });
});

describe('the owner', () => {
  it('is made once by twenty commands at the same time', async () => {
    const first = await open();
    const second = await open({ path: first.path });
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? first : second).accounts.ensureOwner({ username: `me${index}` }),
      ),
    );
    expect(made.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(made.map(({ user }) => user.id)).size).toBe(1);
  });
});
