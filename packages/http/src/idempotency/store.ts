export interface StoredReply {
  /** Hash of method, address and body; the same key with another request is an error. */
  readonly fingerprint: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Owner and hash of a key; keys can be long and private. */
export interface ReplyId {
  readonly userId: string;
  readonly keyHash: string;
}

/**
 * Stores answers to requests with an Idempotency-Key. It must not return an entry after `expiresAt` (milliseconds), but
 * may remove it whenever it likes.
 */
export interface IdempotencyStore {
  get(id: ReplyId): Promise<StoredReply | undefined> | StoredReply | undefined;
  put(id: ReplyId, reply: StoredReply, expiresAt: number): Promise<void> | void;
}
