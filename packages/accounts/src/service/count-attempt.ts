import { createHmac } from 'node:crypto';

import { SECOND } from '@holdfast/base';
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
import { foldUsername } from '../model/username.ts';
import { throttles } from '../store/throttles.ts';
import type { Dependencies } from './dependencies.ts';

/** The counters of one sign-in attempt. */
export interface Attempt {
  /** The id of the user, or what `unknownAccount` makes of a name that nobody has. */
  readonly account: string;
  readonly place: string;
  /** The browser or session that has proved itself before. It is counted alone, and by nothing else. */
  readonly known: string | undefined;
}

/** Longer than any name: folding megabytes would be work that an attacker chooses for us. */
const TYPED_MAX = 400;

/** Which counters an attempt was counted in. */
export type Counted = readonly { readonly kind: ThrottleKind; readonly id: string }[];

/** Names that nobody has are slowed down like those that somebody has, or the difference would tell which are which. */
export function unknownAccount({ unknownNameKey }: Dependencies, typed: string): string {
  const beginning = typed.slice(0, TYPED_MAX);
  const hash = createHmac('sha256', unknownNameKey).update(foldUsername(beginning.toWellFormed()), 'utf8');
  return `nobody-${hash.digest('hex').slice(0, 32)}`;
}

/** Counts an attempt as failed until it is known to be otherwise, or refuses it with LOGIN_THROTTLED. */
export async function countAttempt({ keyspace, clock }: Dependencies, attempt: Attempt): Promise<Counted> {
  const now = clock();
  return keyspace.transact(async (transaction) => {
    const counters = await countersFor(transaction, attempt, now);
    const pause = Math.max(...counters.map(({ stored }) => remainingPause(stored, now)));
    if (pause > 0) {
      throw accountErrors.LOGIN_THROTTLED(`Too many sign-ins failed; the next is possible in ${seconds(pause)}`, {
        details: { retry_after_ms: pause },
      });
    }
    for (const { kind, id, stored } of counters) {
      await transaction.put(throttles, { kind, id }, countFailure(kind, id, stored, now));
    }
    return counters.map(({ kind, id }) => ({ kind, id }));
  });
}

/** In the transaction that begins the session. */
export async function countAsSuccess(transaction: Transaction, counted: Counted, now: number): Promise<void> {
  for (const { kind, id } of counted) {
    // A place is not forgiven for one right password: an attacker may have an account of their own.
    if (kind === 'source') await takeOneBack(transaction, { kind, id });
    else if (kind === 'known') await transaction.delete(throttles, { kind, id });
    else await transaction.put(throttles, { kind, id }, countSuccess(kind, id, now));
  }
}

/** The password was not looked at, so nothing was learnt by the attempt. */
export async function uncountAttempt({ keyspace }: Dependencies, counted: Counted): Promise<void> {
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
  // Others at a shared address must not keep out somebody who signs in from there all the time.
  if (isKnownPlace(pair.stored, now)) return [pair];
  return [pair, await counter('source', place)];
}
