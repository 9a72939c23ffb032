import { replies } from '../store/replies.ts';
import type { Dependencies } from './dependencies.ts';
import type { RememberedReply, ReplyId } from './remember-reply.ts';

/** Undefined when there is none or its time is over, whether or not the sweeper has been there. */
export async function findReply(
  { keyspace, clock }: Dependencies,
  { userId, keyHash }: ReplyId,
): Promise<RememberedReply | undefined> {
  const reply = await keyspace.get(replies, { user_id: userId, key_hash: keyHash });
  if (reply === undefined || Date.parse(reply.expires_at) <= clock()) return undefined;
  const { fingerprint, status, headers, body } = reply;
  return { fingerprint, status, headers, body };
}
