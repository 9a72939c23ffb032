import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { codeOf, openWithOwner } from '../../test/open.ts';

describe('preferences', () => {
  it('behave like a map per user', async () => {
    const { accounts, ada } = await openWithOwner({ engine: 'memory' });
    const bo = await accounts.createUser({ username: 'bo' });
    const users = { ada: ada.id, bo: bo.id };
    const step = fc.record({
      user: fc.constantFrom('ada' as const, 'bo' as const),
      key: fc.constantFrom('theme', 'np.view', 'constructor', 'a-b'),
      value: fc.option(fc.jsonValue({ maxDepth: 2 }), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const model = { ada: new Map<string, unknown>(), bo: new Map<string, unknown>() };
        for (const id of Object.values(users)) {
          for (const { key } of await accounts.listPreferences(id)) await accounts.deletePreference(id, key);
        }
        for (const { user, key, value } of steps) {
          if (value === undefined) {
            expect(await accounts.deletePreference(users[user], key)).toBe(model[user].delete(key));
          } else if (!JSON.stringify(value).includes('__proto__')) {
            await accounts.setPreference(users[user], key, value);
            model[user].set(key, JSON.parse(JSON.stringify(value)));
          }
        }
        for (const user of ['ada', 'bo'] as const) {
          const listed = await accounts.listPreferences(users[user]);
          expect(new Map(listed.map(({ key, value }) => [key, value]))).toEqual(model[user]);
          for (const [key, value] of model[user]) expect(await accounts.getPreference(users[user], key)).toEqual(value);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('tell "never set" from null', async () => {
    const { accounts, ada } = await openWithOwner();
    expect(await accounts.getPreference(ada.id, 'theme')).toBeUndefined();
    await accounts.setPreference(ada.id, 'theme', null);
    expect(await accounts.getPreference(ada.id, 'theme')).toBeNull();
  });

  it('belong to users who exist', async () => {
    const { accounts } = await openWithOwner();
    expect(await codeOf(accounts.setPreference('01HX0000000000000000000000', 'theme', 1))).toBe('USER_NOT_FOUND');
    expect(await codeOf(accounts.setPreference('a:b', 'theme', 1))).toBe('USER_NOT_FOUND');
  });

  it('are limited in number, and those that there are can still be changed', async () => {
    const { accounts, ada, keyspace } = await openWithOwner({ engine: 'memory' });
    await keyspace.transact(async (tx) => {
      for (let count = 0; count < 499; count++) tx.writeKey(`pref:${ada.id}:k${count}`, '0');
    });
    expect(await codeOf(accounts.setPreference(ada.id, 'last', 1))).toBe('done');
    expect(await codeOf(accounts.setPreference(ada.id, 'more', 1))).toBe('PREFERENCE_LIMIT');
    expect(await codeOf(accounts.setPreference(ada.id, 'last', 2))).toBe('done');
  });

  it('refuse wrong keys and values', async () => {
    const { accounts, ada } = await openWithOwner();
    expect(await codeOf(accounts.setPreference(ada.id, 'a:b', 1))).toBe('PREFERENCE_INVALID');
    expect(await codeOf(accounts.setPreference(ada.id, 'a', undefined))).toBe('PREFERENCE_INVALID');
    expect(await codeOf(accounts.getPreference(ada.id, ''))).toBe('PREFERENCE_INVALID');
  });
});
