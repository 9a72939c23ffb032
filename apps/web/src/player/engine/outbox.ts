import { createClient } from '@holdfast/http/client';
import type { AudiobookRoutes } from '@holdfast/hub';

import { booksApi } from '../../api/clients.ts';
import type { PlaybackEvent, Progress } from '../../api/types.ts';
import { statusOf } from '../../lib/reason.ts';
import { BATCH, newestOf, nextBatch, tooMany, waitAfter } from '../model/outbox.ts';
import { forget, namesBeginning, recall, remember } from './memory.ts';

/** What belongs together goes together. */
const GATHER_MS = 100;

/** An answer that has not come by then will not come: what is sent again counts once, and nothing waits behind it. */
const ANSWER_MS = 5_000;

/** Asking again later may help; for anything else the server has its reasons, and says the same next time. */
const isTemporary = (status: number): boolean => status === 0 || status >= 500 || [401, 403, 408, 429].includes(status);

/** The server tells by the time of sending how wrong the clock of this device is. */
const asSent = (events: readonly PlaybackEvent[]) => ({ events: [...events], sent_at: new Date().toISOString() });

/** Requests of this client outlive the page. */
const leavingApi = createClient<AudiobookRoutes>('/api/audiobooks', (input, init) =>
  fetch(input, { ...init, keepalive: true }),
);

/**
 * Reports of listening on their way to the server. Each is kept in this browser, under a name of its own so that tabs
 * do not overwrite each other's, until the server has answered for it: what is sent twice counts once.
 */
export class Outbox {
  readonly #prefix: string;
  readonly #onProgress: (progress: readonly Progress[]) => void;
  readonly #waiting = new Map<string, PlaybackEvent>();
  readonly #closing = new AbortController();
  #failures = 0;
  #size = BATCH;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sending: Promise<void> | undefined;
  #attempt: AbortController | undefined;

  constructor(userId: string, onProgress: (progress: readonly Progress[]) => void) {
    this.#prefix = `event.${userId}.`;
    this.#onProgress = onProgress;
    for (const name of namesBeginning(this.#prefix)) {
      const event = recall<PlaybackEvent>(name);
      if (event !== undefined) this.#waiting.set(event.event_id, event);
    }
    window.addEventListener('online', () => this.#afresh(), { signal: this.#closing.signal });
    if (this.#waiting.size > 0) this.#later(0);
  }

  add(event: PlaybackEvent): void {
    this.#waiting.set(event.event_id, event);
    remember(this.#prefix + event.event_id, event);
    for (const { event_id: id } of tooMany(this.#waiting.values())) this.#drop(id);
    if (this.#failures === 0) this.#later(GATHER_MS);
  }

  /** The last that happened to a book and was not sent yet. */
  unsent(bookId: string): PlaybackEvent | undefined {
    return newestOf(this.#waiting.values(), bookId);
  }

  /** Sends what there is, as far as the server takes it. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    // Afterwards, not within: with nothing to send it is over before it is noted that it has begun.
    this.#sending ??= this.#sendAll().finally(() => (this.#sending = undefined));
    return this.#sending;
  }

  /** The connection is back: whatever still waits on the old one would wait in vain. */
  #afresh(): void {
    this.#failures = 0;
    if (this.#attempt === undefined) void this.flush();
    else this.#attempt.abort();
  }

  /** The page is going away, and does not wait for an answer. */
  leave(): void {
    if (this.#waiting.size === 0) return;
    const events = nextBatch(this.#waiting.values(), BATCH);
    void leavingApi.POST('/playback', { body: asSent(events) }).catch(() => undefined);
  }

  close(): void {
    this.#closing.abort();
    clearTimeout(this.#timer);
  }

  #drop(id: string): void {
    this.#waiting.delete(id);
    forget(this.#prefix + id);
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#closing.signal.aborted) this.#timer = setTimeout(() => void this.flush(), ms);
  }

  async #sendAll(): Promise<void> {
    try {
      while (this.#waiting.size > 0 && !this.#closing.signal.aborted) await this.#sendSome();
    } catch {
      this.#failures += 1;
      this.#later(waitAfter(this.#failures));
    }
  }

  async #sendSome(): Promise<void> {
    const events = nextBatch(this.#waiting.values(), this.#size);
    const attempt = new AbortController();
    this.#attempt = attempt;
    try {
      const { data } = await booksApi.POST('/playback', {
        body: asSent(events),
        signal: AbortSignal.any([attempt.signal, AbortSignal.timeout(ANSWER_MS)]),
      });
      for (const { event_id: id } of events) this.#drop(id);
      this.#failures = 0;
      this.#size = BATCH;
      this.#onProgress(data.progress);
    } catch (error) {
      if (isTemporary(statusOf(error) ?? 0)) throw error;
      // One of them is refused altogether: find out which, and let the others through.
      if (events.length === 1) this.#drop(events[0]?.event_id ?? '');
      else this.#size = 1;
    } finally {
      this.#attempt = undefined;
    }
  }
}
