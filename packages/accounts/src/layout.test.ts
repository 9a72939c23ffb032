import { memoryEngine, openKeyspace } from '@holdfast/keyspace';
import { describe, expect, it } from 'vitest';

import { open, openWithOwner, PASSWORD, storedKeys } from '../test/open.ts';
import { accountsSchema, openAccounts, openAccountsKeyspace } from './index.ts';

/** Checks that keys and values match the design document for accounts (docs/fidelity/accounts.md). */
describe('the layout in the database', () => {
  it('of an empty database is its version, its roles and the hash policy', async () => {
    const { keyspace } = await open();
    const stored = await storedKeys(keyspace);
    expect(Object.keys(stored)).toEqual([
      'authz:admin',
      'authz:user',
      'authz:viewer',
      'meta:auth:argon2_params',
      'meta:version',
      'mig:0000000001',
    ]);
    expect(stored['meta:version']).toBe('1');
    expect(stored['meta:auth:argon2_params']).toBe('{"memory_kib":8,"iterations":1,"parallelism":1,"version":1}');
    expect(stored['mig:0000000001']).toBe(
      '{"id":1,"applied_at":"2026-01-19T12:00:00.000Z","description":"roles and the policy for password hashes","duration_ms":0}',
    );
    expect(stored['authz:viewer']).toBe(
      '{"role":"viewer","description":"Can view data in all applications.","permissions":["app:*:read","account"],"version":1}',
    );
  });

  it('is completed, not reset, if the version was lost', async () => {
    const { keyspace } = await open();
    const policy = '{"memory_kib":16,"iterations":2,"parallelism":1,"version":1}';
    await keyspace.transact(async (tx) => {
      tx.writeKey('meta:auth:argon2_params', policy);
      tx.writeKey('authz:viewer', undefined);
      tx.writeKey('meta:version', undefined);
    });
    const again = await openAccountsKeyspace(keyspace.engine);
    const stored = await storedKeys(again);
    expect(stored).toMatchObject({ 'meta:version': '1', 'meta:auth:argon2_params': policy });
    expect(stored['authz:viewer']).toContain('Can view data in all applications');
  });

  it('of a user has the hash in ua: and nowhere else', async () => {
    const { keyspace, accounts } = await open();
    const ada = await accounts.createOwner({ username: 'Ada', email: 'Ada@Example.org', password: PASSWORD });
    const stored = await storedKeys(keyspace);
    expect(stored[`u:${ada.id}`]).toBe(
      `{"id":"${ada.id}","username":"Ada","email":"Ada@Example.org","created_at":"2026-01-19T12:00:00.000Z",` +
        `"updated_at":"2026-01-19T12:00:00.000Z","roles":["admin"],"status":"active","version":1}`,
    );
    expect(stored['idx:user:username:ada']).toBe(ada.id);
    expect(stored['idx:user:email:ada@example.org']).toBe(ada.id);
    expect(stored['meta:auth:owner']).toBe(ada.id);
    expect(JSON.parse(stored[`ua:${ada.id}`] as string)).toEqual({
      user_id: ada.id,
      password_hash_algo: 'argon2id',
      password_hash: expect.stringMatching(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/),
      created_at: '2026-01-19T12:00:00.000Z',
      updated_at: '2026-01-19T12:00:00.000Z',
      version: 1,
    });
    const withHash = Object.entries(stored).filter(([, value]) => String(value).includes('$argon2id$'));
    expect(withHash.map(([key]) => key)).toEqual([`ua:${ada.id}`]);
  });

  it('of a session is sess: with idx:sess:user: beside it', async () => {
    const { keyspace, accounts, ada } = await openWithOwner();
    const source = { ip: '203.0.113.7', userAgent: 'Test' };
    const { session } = await accounts.login({ name: 'ada', password: PASSWORD, source });
    const stored = await storedKeys(keyspace);
    expect(JSON.parse(stored[`sess:${session.id}`] as string)).toEqual({
      id: session.id,
      user_id: ada.id,
      token_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      created_at: '2026-01-19T12:00:00.000Z',
      last_seen_at: '2026-01-19T12:00:00.000Z',
      expires_at: '2026-02-18T12:00:00.000Z',
      idle_expires_at: '2026-01-26T12:00:00.000Z',
      ip: '203.0.113.7',
      user_agent: 'Test',
      revoked: false,
      version: 1,
    });
    expect(stored[`idx:sess:user:${ada.id}:${session.id}`]).toBe('1');
  });

  it('is not taken for granted: another keyspace is refused', async () => {
    const engine = memoryEngine();
    const keyspace = await openKeyspace({ engine, schema: accountsSchema });
    await expect(openAccounts({ keyspace })).rejects.toMatchObject({ code: 'NOT_AN_ACCOUNTS_DATABASE' });
  });

  it('keeps names and addresses that are too long for a key apart', async () => {
    const { keyspace, accounts } = await openWithOwner();
    const long = '太'.repeat(63);
    for (const end of ['一', '二']) {
      const user = await accounts.createUser({ username: long + end, email: `${'x'.repeat(240)}${end}@b` });
      expect((await accounts.findUser(long + end)).id).toBe(user.id);
      expect((await accounts.findUser(`${'X'.repeat(240)}${end}@B`)).id).toBe(user.id);
    }
    expect((await keyspace.verify()).problems).toEqual([]);
  });

  it('holds nothing that verify does not know', async () => {
    const { keyspace, accounts, ada } = await openWithOwner();
    await accounts.login({ name: 'ada', password: PASSWORD });
    await accounts.login({ name: 'nobody', password: PASSWORD }).catch(() => undefined);
    await accounts.createToken({ userId: ada.id, name: 'ci', scopes: ['read'], expiresAt: Date.UTC(2027, 0, 1) });
    await accounts.createUser({ username: 'bo', roles: ['viewer'] });
    const { problems, records, indexes } = await keyspace.verify();
    expect(problems).toEqual([]);
    expect(records).toBeGreaterThan(15);
    expect(indexes).toBeGreaterThan(15);
  });

  it('without an address has no index entry for one', async () => {
    const { keyspace, accounts } = await openWithOwner();
    await accounts.createUser({ username: 'bo' });
    await accounts.createUser({ username: 'cy', email: '' });
    expect(Object.keys(await storedKeys(keyspace, 'idx:user:email:'))).toEqual(['idx:user:email:ada@example.org']);
  });
});
