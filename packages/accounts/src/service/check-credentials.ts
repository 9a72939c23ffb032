import { createHmac } from 'node:crypto';

import { failpoint, SECOND } from '@holdfast/base';
import type { Transaction } from '@holdfast/keyspace';

import { accountErrors } from '../errors.ts';
import {
  countFailure,
  countSuccess,
  isKnownPlace,
  remainingPause,
  takeBack,
  type Throttle,
  type ThrottleKind,
} from '../model/throttle.ts';
import { type Credential, foldUsername, type User } from '../model/user.ts';
import { throttles } from '../store/schema.ts';
import { recordAudit } from './audit.ts';
import type { Dependencies } from './dependencies.ts';
import { isPassword } from './hash-password.ts';

interface Claim extends Attempt {
  /** Undefined for an unknown name. */
  readonly user: User | undefined;
  readonly credential: Credential | undefined;
  readonly password: string;
  readonly ip: string;
}

/** Returns the same error for every cause, so it does not reveal whether a user exists. */
export function wrongCredentials(): Error {
  return accountErrors.CREDENTIALS_WRONG('The user name or password is wrong');
}

/**
 * Counts the attempt, then does the same work whether or not the user exists, and throws the same error for every
 * cause. After a success the caller must pass the result to `countAsSuccess`.
 */
export async function checkCredentials(dependencies: Dependencies, claim: Claim): Promise<Counted> {
  const counted = await countAttempt(dependencies, claim);
  failpoint('accounts.attempt.counted');
  const isRight = await isPassword(dependencies, claim.credential, claim.password).catch(async (error: unknown) => {
    await uncountAttempt(dependencies, counted);
    throw error;
  });
  if (isRight && claim.user?.status === 'active') return counted;
  await dependencies.keyspace.transact(async (transaction) => {
    const user_id = claim.user?.id ?? null;
    recordAudit(transaction, dependencies, { type: 'login_failed', actor: 'anonymous', user_id, ip: claim.ip });
  });
  throw wrongCredentials();
}

interface Attempt {
  /** User id, or the result of `unknownAccount` for an unknown name. */
  readonly account: string;
  readonly place: string;
  /** Counter id of a browser or session that has signed in before. Its attempts count only in this counter. */
  readonly known: string | undefined;
}

/** Longer than any name. The limit bounds the work that an attacker can cause with long names. */
const TYPED_MAX = 400;

/** The counters that an attempt has incremented. */
type Counted = readonly { readonly kind: ThrottleKind; readonly id: string }[];

/** Unknown names are throttled like known ones, so that the delay does not reveal whether a user exists. */
export function unknownAccount({ unknownNameKey }: Dependencies, typed: string): string {
  const beginning = typed.slice(0, TYPED_MAX);
  const hash = createHmac('sha256', unknownNameKey).update(foldUsername(beginning.toWellFormed()), 'utf8');
  return `nobody-${hash.digest('hex').slice(0, 32)}`;
}

/**
 * Counts the attempt as failed in advance; a success corrects the counters later. Throws LOGIN_THROTTLED during a
 * delay.
 */
async function countAttempt({ keyspace, clock }: Dependencies, attempt: Attempt): Promise<Counted> {
  const now = clock();
  return keyspace.transact(async (transaction) => {
    const counters = await countersFor(transaction, attempt, now);
    const pause = Math.max(...counters.map(({ stored }) => remainingPause(stored, now)));
    if (pause > 0) {
      throw accountErrors.LOGIN_THROTTLED(`Too many failed sign-in attempts; try again in ${seconds(pause)}`, {
        details: { retry_after_ms: pause },
      });
    }
    for (const { kind, id, stored } of counters) {
      await transaction.put(throttles, { kind, id }, countFailure(kind, id, stored, now));
    }
    return counters.map(({ kind, id }) => ({ kind, id }));
  });
}

/** Runs in the transaction that starts the session. */
export async function countAsSuccess(transaction: Transaction, counted: Counted, now: number): Promise<void> {
  for (const { kind, id } of counted) {
    // Subtracts only one. If it reset the counter, an attacker with an account could clear an address's counter by
    // signing in from there.
    if (kind === 'source') await takeOneBack(transaction, { kind, id });
    else if (kind === 'known') await transaction.delete(throttles, { kind, id });
    else await transaction.put(throttles, { kind, id }, countSuccess(kind, id, now));
  }
}

/** Removes an attempt from the counters, because its password was never checked. */
async function uncountAttempt({ keyspace }: Dependencies, counted: Counted): Promise<void> {
  await keyspace.transact(async (transaction) => {
    for (const key of counted) await takeOneBack(transaction, key);
  });
}

async function takeOneBack(transaction: Transaction, key: Counted[number]): Promise<void> {
  const stored = await transaction.get(throttles, key);
  const left = stored === undefined ? undefined : takeBack(stored);
  if (left === undefined) await transaction.delete(throttles, key);
  else await transaction.put(throttles, key, left);
}

function seconds(milliseconds: number): string {
  const count = Math.ceil(milliseconds / SECOND);
  return count === 1 ? '1 second' : `${count} seconds`;
}

interface Counter {
  readonly kind: ThrottleKind;
  readonly id: string;
  readonly stored: Throttle | undefined;
}

async function countersFor(
  transaction: Transaction,
  { account, place, known }: Attempt,
  now: number,
): Promise<readonly Counter[]> {
  const counter = async (kind: ThrottleKind, id: string): Promise<Counter> => ({
    kind,
    id,
    stored: await transaction.get(throttles, { kind, id }),
  });
  if (known !== undefined) return [await counter('known', known)];
  const pair = await counter('pair', `${account}@${place}`);
  // A user who regularly signs in from a shared address must not be locked out by the counter of that address.
  if (isKnownPlace(pair.stored, now)) return [pair];
  return [pair, await counter('source', place)];
}
