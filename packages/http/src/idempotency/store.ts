/** A remembered answer. */
export interface StoredReply {
  /** Of method, address and body: the same key with another request is a mistake. */
  readonly fingerprint: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Whose key it is, and its hash: what people choose as a key can be long, and is nobody else's business. */
export interface ReplyId {
  readonly userId: string;
  readonly keyHash: string;
}

/**
 * Storage for answers to requests with an Idempotency-Key. It must not return an entry after `expiresAt`
 * (milliseconds); when it is removed is the store's business.
 */
export interface IdempotencyStore {
  get(id: ReplyId): Promise<StoredReply | undefined> | StoredReply | undefined;
  put(id: ReplyId, reply: StoredReply, expiresAt: number): Promise<void> | void;
}
