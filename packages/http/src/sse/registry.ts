import { delay, SECOND } from '@holdfast/base';

import { httpErrors } from '../errors.ts';

export interface StreamSettings {
  readonly heartbeatMs: number;
  /** Time that a browser waits before it reconnects. */
  readonly retryMs: number;
  /** Interval between permission checks on an open connection. */
  readonly recheckMs: number;
  readonly listenersMax: number;
  readonly listenersPerUserMax: number;
}

const defaultStreamSettings: StreamSettings = {
  heartbeatMs: 15 * SECOND,
  retryMs: 2 * SECOND,
  recheckMs: 60 * SECOND,
  listenersMax: 5_000,
  listenersPerUserMax: 1_000,
};

/** Pause between two checks of all streams, so that frequent changes to accounts do not keep a whole core busy. */
const RECHECK_PAUSE_MS = 200;

/** All open streams of a server. One shared timer sends their heartbeats. */
export class StreamRegistry {
  readonly settings: StreamSettings;
  readonly #streams = new Map<LiveStream, string | undefined>();
  #timer: NodeJS.Timeout | undefined;
  #rechecking: Promise<void> | undefined;
  #recheckAgain = false;

  constructor(settings: Partial<StreamSettings> = {}) {
    this.settings = { ...defaultStreamSettings, ...settings };
  }

  get size(): number {
    return this.#streams.size;
  }

  add(stream: LiveStream, user: string | undefined): void {
    const { listenersMax, listenersPerUserMax } = this.settings;
    const ofUser = user === undefined ? 0 : [...this.#streams.values()].filter((each) => each === user).length;
    if (this.#streams.size >= listenersMax || ofUser >= listenersPerUserMax) {
      throw httpErrors.TOO_MANY_LISTENERS(`${this.#streams.size} event streams are open, ${ofUser} of them yours`);
    }
    this.#streams.set(stream, user);
    this.#timer ??= setInterval(() => this.#beat(), this.settings.heartbeatMs).unref();
  }

  remove(stream: LiveStream): void {
    this.#streams.delete(stream);
    if (this.#streams.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Closes streams whose session or token has ended. Call it when accounts have changed. */
  recheckAll(): Promise<void> {
    if (this.#rechecking === undefined) {
      this.#rechecking = this.#recheckOnce();
    } else {
      this.#recheckAgain = true;
    }
    return this.#rechecking;
  }

  async #recheckOnce(): Promise<void> {
    for (;;) {
      this.#recheckAgain = false;
      await Promise.all([...this.#streams.keys()].map((stream) => stream.recheck()));
      if (!this.#recheckAgain) break;
      await delay(RECHECK_PAUSE_MS);
    }
    this.#rechecking = undefined;
  }

  closeAll(): void {
    for (const stream of this.#streams.keys()) stream.close();
  }

  #beat(): void {
    const now = performance.now();
    for (const stream of this.#streams.keys()) stream.beat(now);
  }
}

export interface LiveStream {
  /** Sends a heartbeat, so proxies keep the connection and dead peers are noticed. */
  beat(now: number): void;
  /** Closes the stream if the user may no longer read it. */
  recheck(): Promise<void>;
  close(): void;
}

/** Functions that the server provides for a stream. */
export interface StreamScope {
  /** Throws TOO_MANY_LISTENERS at the limit. */
  add(stream: LiveStream): void;
  remove(stream: LiveStream): void;
  readonly retryMs: number;
  readonly recheckMs: number;
  /** Checks the permission again, because the session may have ended. */
  isStillAllowed(): Promise<boolean>;
}
