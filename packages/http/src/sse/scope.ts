/** A live connection as the server sees it. */
export interface LiveStream {
  /** Says that the connection is alive, so that proxies and dead peers are noticed. */
  beat(now: number): void;
  close(): void;
}

/** The services of the server that a stream uses. */
export interface StreamScope {
  /** Throws TOO_MANY_LISTENERS when the server has enough. */
  add(stream: LiveStream): void;
  remove(stream: LiveStream): void;
  readonly retryMs: number;
  readonly recheckMs: number;
  /** Asks again whether this request may still see what it sees: a session may have ended meanwhile. */
  isStillAllowed(): Promise<boolean>;
}
