import { join } from 'node:path';

import { type Accounts, openAccounts, openAccountsKeyspace } from '@holdfast/accounts';
import { HOUR } from '@holdfast/base';
import { sqliteEngine } from '@holdfast/keyspace';

import { type Context, type Figure, quantile } from '../lib/harness.ts';

/**
 * Workload: sign-in attempts with a wrong password, alternating between known and unknown names, each from its own
 * address. The figure is |z| of the Mann-Whitney test: below 1.96, an attacker cannot tell the names apart with this
 * number of attempts at the 5 % level.
 */
export async function benchmark({ folder, quick, progress }: Context): Promise<readonly Figure[]> {
  const pairs = quick ? 5 : 500;
  let now = Date.now();
  const keyspace = await openAccountsKeyspace(await sqliteEngine({ path: join(folder, 'accounts.db') }));
  // Each attempt takes place a day later, so that no throttle is left.
  const accounts = await openAccounts({ keyspace, clock: () => now });
  const password = 'a long enough password';
  await accounts.createOwner({ username: 'owner', password });
  for (const username of KNOWN) await accounts.createUser({ username, roles: ['viewer'], password });
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  for (let n = 0; n < pairs; n++) {
    // The order alternates, so that load and warm caches affect both alike.
    for (const side of n % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
      now += 24 * HOUR;
      const names = side === 'known' ? KNOWN : UNKNOWN;
      times[side].push(await attempt(accounts, names[n % names.length]!, n));
    }
    if (n % 100 === 99) progress(`${n + 1} of ${pairs} pairs`);
  }
  await accounts.settled();
  await keyspace.close();
  const [known, unknown] = [quantile(times.known, 0.5), quantile(times.unknown, 0.5)];
  const baseline = `${pairs} attempts each: median ${known.toFixed(2)} ms for a known name, ${unknown.toFixed(2)} ms for an unknown one`;
  const value = Math.abs(mannWhitney(times.known, times.unknown));
  return [{ name: 'hub.sign_in_timing', value, unit: '|z|', baseline, goal: 1.96, better: 'lower' }];
}

const KNOWN = ['adalovelace', 'gracehopper', 'alanturing'];
const UNKNOWN = ['bobnobodys', 'evenobodys', 'malnobodys'];

async function attempt(accounts: Accounts, name: string, n: number): Promise<number> {
  const source = { ip: `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}` };
  const begun = performance.now();
  const error: unknown = await accounts.login({ name, password: 'wrong password', source }).catch((thrown) => thrown);
  const took = performance.now() - begun;
  if ((error as { code?: string }).code !== 'CREDENTIALS_WRONG') throw error;
  return took;
}

/** Returns z of the Mann-Whitney U test by the normal approximation, which is accurate above 20 samples. */
function mannWhitney(left: readonly number[], right: readonly number[]): number {
  const all = [...left.map((time) => ({ time, isLeft: true })), ...right.map((time) => ({ time, isLeft: false }))];
  all.sort((one, other) => one.time - other.time);
  const rankSum = all.reduce((sum, { isLeft }, at) => sum + (isLeft ? at + 1 : 0), 0);
  const [n, m] = [left.length, right.length];
  return (rankSum - (n * (n + 1)) / 2 - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12);
}
