import { toTimestamp } from '@holdfast/base';

import type { Reply } from '../model/reply.ts';
import type { Dependencies } from './dependencies.ts';
import { requireUser } from './find-user.ts';
import { replies } from '../store/schema.ts';

/** Owner and hash of an Idempotency-Key. */
export interface ReplyId {
  readonly userId: string;
  readonly keyHash: string;
}

export type RememberedReply = Pick<Reply, 'fingerprint' | 'status' | 'headers' | 'body'>;

export async function rememberReply(
  { keyspace, clock }: Dependencies,
  { userId, keyHash }: ReplyId,
  { fingerprint, status, headers, body }: RememberedReply,
  expiresAt: number,
): Promise<void> {
  await keyspace.transact(async (transaction) => {
    // The user may have been deleted in the meantime; a deleted user must not get new records.
    await requireUser(transaction, userId);
    const key = { user_id: userId, key_hash: keyHash };
    const times = { created_at: toTimestamp(clock()), expires_at: toTimestamp(expiresAt) };
    await transaction.put(replies, key, { ...key, fingerprint, status, headers, body, ...times, version: 1 });
  });
}

/**
 * Returns undefined for missing and expired replies, including expired replies that have not been swept yet. Throws if
 * the reply is damaged, because the request must not run twice.
 */
export async function findReply(
  { keyspace, clock }: Dependencies,
  { userId, keyHash }: ReplyId,
): Promise<RememberedReply | undefined> {
  const reply = await keyspace.get(replies, { user_id: userId, key_hash: keyHash });
  if (reply === undefined || Date.parse(reply.expires_at) <= clock()) return undefined;
  const { fingerprint, status, headers, body } = reply;
  return { fingerprint, status, headers, body };
}
