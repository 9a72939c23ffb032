import { createHash } from 'node:crypto';

import { toTimestamp } from '@holdfast/base';

import { snoozes } from '../store/schema.ts';
import type { Dependencies } from './dependencies.ts';
import { requireUser } from './find-user.ts';

/**
 * Hides the item with this key from a user until the given time, in milliseconds. Without a time, shows the item again.
 */
export async function snooze(
  { keyspace }: Dependencies,
  { userId, key, until }: { readonly userId: string; readonly key: string; readonly until: number | undefined },
): Promise<void> {
  await keyspace.transact(async (transaction) => {
    await requireUser(transaction, userId);
    const id = { user_id: userId, key_hash: hashOf(key) };
    if (until === undefined) await transaction.delete(snoozes, id);
    else await transaction.put(snoozes, id, { ...id, until: toTimestamp(until), version: 1 });
  });
}

/** Returns a function that maps the key of an item to the time until which the user has snoozed it. */
export async function listSnoozes(
  { reader, clock }: Dependencies,
  userId: string,
): Promise<(key: string) => string | undefined> {
  const now = clock();
  const active = (await reader.list(snoozes, { user_id: userId })).filter(({ until }) => Date.parse(until) > now);
  const untilOf = new Map(active.map(({ key_hash: hash, until }) => [hash, until]));
  return (key) => (untilOf.size === 0 ? undefined : untilOf.get(hashOf(key)));
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
