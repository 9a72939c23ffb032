export interface LiveStream {
  /** Sends a heartbeat, so proxies keep the connection and dead peers are noticed. */
  beat(now: number): void;
  close(): void;
}

/** Services of the server that a stream uses. */
export interface StreamScope {
  /** Throws TOO_MANY_LISTENERS at the limit. */
  add(stream: LiveStream): void;
  remove(stream: LiveStream): void;
  readonly retryMs: number;
  readonly recheckMs: number;
  /** Checks the permission again: the session may have ended. */
  isStillAllowed(): Promise<boolean>;
}
