import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';

import { expect, it } from 'vitest';

import { open, PASSWORD, storedKeys } from '../test/open.ts';
import { hashSecret } from './model/secret.ts';
import { isSecretKey } from './secret-keys.ts';

const WRONG = 'canary wrong password';
const NEXT = 'canary next password';

/** Exercises everything that handles a secret; returns the secrets and all output. */
async function useEverySecret() {
  const { accounts, keyspace, path } = await open();
  const said: unknown[] = [];
  const attempt = async (work: Promise<unknown>): Promise<void> => {
    said.push(
      await work.then(
        () => undefined,
        (error: unknown) => error,
      ),
    );
  };
  const link = await accounts.createSetupLink();
  await attempt(accounts.redeemSetupLink({ secret: link.secret, username: 'ada', password: 'canary' }));
  const first = await accounts.redeemSetupLink({ secret: link.secret, username: 'ada', password: PASSWORD });
  const userId = first.user.id;
  await attempt(accounts.redeemSetupLink({ secret: link.secret, username: 'eve', password: PASSWORD }));
  // Simulates people who type the password into the name field, and tokens elsewhere.
  await attempt(accounts.login({ name: PASSWORD, password: 'ada' }));
  await attempt(accounts.login({ name: WRONG, password: WRONG }));
  await attempt(accounts.login({ name: 'ada', password: WRONG }));
  await attempt(accounts.login({ name: 'ada', password: `${WRONG}\ud800` }));
  await attempt(accounts.createUser({ username: PASSWORD, email: PASSWORD }));
  await attempt(accounts.findUser(PASSWORD));
  const second = await accounts.login({ name: 'ada', password: PASSWORD });
  const change = { userId, currentPassword: PASSWORD, newPassword: NEXT, sessionToken: second.token };
  await attempt(accounts.changePassword({ ...change, currentPassword: WRONG }));
  const changed = await accounts.changePassword(change);
  const token = await accounts.createToken({ userId, name: 'ci', scopes: ['read'] });
  await attempt(accounts.createToken({ userId, name: token.secret, scopes: [token.secret] }));
  await attempt(accounts.authenticate(first.token));
  await attempt(accounts.authenticate(`${token.secret}x`));
  await accounts.authenticate(token.secret);
  await accounts.setPassword({ userId, password: PASSWORD });
  await accounts.logout(changed.token!);
  const last = await accounts.login({ name: 'ada', password: PASSWORD });
  await accounts.settled();
  said.push(await accounts.listAudit(), await accounts.listUsers(), await accounts.listSessions(userId));
  said.push(await accounts.listTokens(userId));
  const secrets = [
    PASSWORD,
    NEXT,
    WRONG,
    link.secret,
    first.token,
    first.deviceToken!,
    second.token,
    changed.token!,
    last.token,
    last.deviceToken!,
    token.secret,
  ];
  return { keyspace, path, said, secrets };
}

it('no secret, nor anything it could be guessed from, is anywhere it does not belong', async () => {
  const { keyspace, path, said, secrets } = await useEverySecret();
  const texts = said.map((value) => inspect(value, { depth: 10, maxStringLength: null }) + JSON.stringify(value));
  const files = readdirSync(dirname(path)).map((name) => readFileSync(join(dirname(path), name), 'latin1'));
  expect(files.join('').length).toBeGreaterThan(10_000);
  for (const secret of secrets) {
    // No secret appears in any database file (journal and write-ahead log included) or in the output.
    for (const text of [...files, ...texts]) expect(text).not.toContain(secret);
    // No hash of the secret appears in the output, and no fast hash of a password appears anywhere.
    for (const text of texts) expect(text).not.toContain(hashSecret(secret));
    if (!secret.startsWith('hf')) {
      for (const text of files) expect(text).not.toContain(hashSecret(secret).slice(0, 16));
    }
  }
  for (const text of texts) expect(text).not.toContain('$argon2id$');

  const stored = await storedKeys(keyspace);
  const holders = Object.entries(stored).filter(([key, value]) =>
    /\$argon2id\$|[0-9a-f]{64}/.test(key + String(value)),
  );
  expect(holders.length).toBeGreaterThan(5);
  expect(holders.map(([key]) => key).filter((key) => !isSecretKey(key))).toEqual([]);
  const withPassword = holders.filter(([, value]) => String(value).includes('$argon2id$'));
  expect(withPassword.map(([key]) => key.split(':')[0])).toEqual(['ua']);

  for (const { changes } of await keyspace.engine.changes(0, 10_000)) {
    for (const { key, before, after } of changes) {
      if (/\$argon2id\$|[0-9a-f]{64}/.test(`${key}${String(before)}${String(after)}`))
        expect(isSecretKey(key), key).toBe(true);
    }
  }
});
