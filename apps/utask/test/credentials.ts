import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAccount, createOperator, createUser, type KeyPair } from '@nats-io/nkeys';

const text = new TextEncoder();
const unlimited = { subs: -1, conn: -1, leaf: -1, imports: -1, exports: -1, data: -1, payload: -1, wildcards: true };

/**
 * Writes the configuration of a server that trusts an operator, and credentials files for a member and for a user of
 * an unknown account.
 */
export function makeOperator(folder: string): {
  readonly config: string;
  readonly member: string;
  readonly stranger: string;
} {
  const operator = createOperator();
  const account = createAccount();
  const system = createAccount();
  const storage = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };
  const accountClaims = { limits: { ...unlimited, ...storage }, type: 'account', version: 2 };
  const systemClaims = { limits: unlimited, type: 'account', version: 2 };
  const config = join(folder, 'operator.conf');
  writeFileSync(
    config,
    [
      `operator: ${signed(operator, operator, { type: 'operator', version: 2, system_account: system.getPublicKey() })}`,
      `system_account: ${system.getPublicKey()}`,
      'resolver: MEMORY',
      'resolver_preload: {',
      `  ${account.getPublicKey()}: ${signed(operator, account, accountClaims)}`,
      `  ${system.getPublicKey()}: ${signed(operator, system, systemClaims)}`,
      '}',
    ].join('\n'),
  );
  return {
    config,
    member: credentialsFile(join(folder, 'member.creds'), account),
    stranger: credentialsFile(join(folder, 'stranger.creds'), createAccount()),
  };
}

function credentialsFile(path: string, account: KeyPair): string {
  const user = createUser();
  const jwt = signed(account, user, { subs: -1, data: -1, payload: -1, type: 'user', version: 2 });
  const seed = new TextDecoder().decode(user.getSeed());
  const part = (name: string, body: string): string => `-----BEGIN ${name}-----\n${body}\n------END ${name}------\n`;
  writeFileSync(path, `${part('NATS USER JWT', jwt)}\n${part('USER NKEY SEED', seed)}`, { mode: 0o600 });
  return path;
}

/** Creates a JSON web token in NATS' format. */
function signed(issuer: KeyPair, subject: KeyPair, nats: object): string {
  const claims = {
    jti: subject.getPublicKey(),
    iat: 1_700_000_000,
    iss: issuer.getPublicKey(),
    sub: subject.getPublicKey(),
  };
  const body = [
    { typ: 'JWT', alg: 'ed25519-nkey' },
    { ...claims, name: 'tasks', nats },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${body}.${Buffer.from(issuer.sign(text.encode(body))).toString('base64url')}`;
}
