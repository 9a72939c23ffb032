/** A remembered answer. */
export interface StoredReply {
  /** Of method, address and body: the same key with another request is a mistake. */
  readonly fingerprint: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/**
 * Where answers to requests with an Idempotency-Key are kept. Keys are made here, from user and key, and are of fixed
 * length. An entry must not be given after `expiresAt` (milliseconds); when it is removed is the store's business.
 */
export interface IdempotencyStore {
  get(key: string): Promise<StoredReply | undefined> | StoredReply | undefined;
  put(key: string, reply: StoredReply, expiresAt: number): Promise<void> | void;
}
