import { createClient } from '@holdfast/http/client';
import type { AudiobookRoutes } from '@holdfast/hub';

import { booksApi } from '../../api/clients.ts';
import type { PlaybackEvent, Progress } from '../../api/types.ts';
import { statusOf } from '../../lib/error-reason.ts';
import { BATCH, newestReport, oldestReports, excessReports, retryDelay } from '../model/progress.ts';
import { forget, storedNames, recall, remember } from './browser.ts';

/** Reports within this time are sent together. */
const BATCH_DELAY_MS = 100;

/** A request without a response is retried after this time; the server ignores duplicates. */
const RESPONSE_TIMEOUT_MS = 5_000;

/**
 * For these statuses, the same request may succeed later. For any other status, the server would reject the request
 * again.
 */
const isTemporary = (status: number): boolean => status === 0 || status >= 500 || [401, 403, 408, 429].includes(status);

/** `sent_at` tells the server how far off this device's clock is. */
const requestBody = (events: readonly PlaybackEvent[]) => ({ events: [...events], sent_at: new Date().toISOString() });

/** Requests from this client continue after the page closes. */
const leavingApi = createClient<AudiobookRoutes>('/api/audiobooks', (input, init) =>
  fetch(input, { ...init, keepalive: true }),
);

/**
 * Listening reports that the server has not accepted yet. The browser stores each under its own key, so that tabs do
 * not overwrite each other's reports. The server ignores duplicates.
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
    for (const name of storedNames(this.#prefix)) {
      const event = recall<PlaybackEvent>(name);
      if (event !== undefined) this.#waiting.set(event.event_id, event);
    }
    window.addEventListener('online', () => this.#reconnected(), { signal: this.#closing.signal });
    if (this.#waiting.size > 0) this.#schedule(0);
  }

  add(event: PlaybackEvent): void {
    this.#waiting.set(event.event_id, event);
    remember(this.#prefix + event.event_id, event);
    for (const { event_id: id } of excessReports(this.#waiting.values())) this.#drop(id);
    if (this.#failures === 0) this.#schedule(BATCH_DELAY_MS);
  }

  newestUnsent(bookId: string): PlaybackEvent | undefined {
    return newestReport(this.#waiting.values(), bookId);
  }

  flush(): Promise<void> {
    clearTimeout(this.#timer);
    // `#sending` is cleared here and not in `#sendAll`, which may end before `#sending` is assigned.
    this.#sending ??= this.#sendAll().finally(() => (this.#sending = undefined));
    return this.#sending;
  }

  /** Called when the connection is back. Aborts a pending request, which would otherwise wait for its timeout. */
  #reconnected(): void {
    this.#failures = 0;
    if (this.#attempt === undefined) void this.flush();
    else this.#attempt.abort();
  }

  /** Sends reports while the page unloads, without waiting for a response. */
  leave(): void {
    if (this.#waiting.size === 0) return;
    const events = oldestReports(this.#waiting.values(), BATCH);
    void leavingApi.POST('/playback', { body: requestBody(events) }).catch(() => undefined);
  }

  close(): void {
    this.#closing.abort();
    clearTimeout(this.#timer);
  }

  #drop(id: string): void {
    this.#waiting.delete(id);
    forget(this.#prefix + id);
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#closing.signal.aborted) this.#timer = setTimeout(() => void this.flush(), ms);
  }

  async #sendAll(): Promise<void> {
    try {
      while (this.#waiting.size > 0 && !this.#closing.signal.aborted) await this.#sendSome();
    } catch {
      this.#failures += 1;
      this.#schedule(retryDelay(this.#failures));
    }
  }

  async #sendSome(): Promise<void> {
    const events = oldestReports(this.#waiting.values(), this.#size);
    const attempt = new AbortController();
    this.#attempt = attempt;
    try {
      const { data } = await booksApi.POST('/playback', {
        body: requestBody(events),
        signal: AbortSignal.any([attempt.signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]),
      });
      for (const { event_id: id } of events) this.#drop(id);
      this.#failures = 0;
      this.#size = BATCH;
      this.#onProgress(data.progress);
    } catch (error) {
      if (isTemporary(statusOf(error) ?? 0)) throw error;
      // The server rejects the batch because of one report. Sends the reports one by one to find that report.
      if (events.length === 1) this.#drop(events[0]?.event_id ?? '');
      else this.#size = 1;
    } finally {
      this.#attempt = undefined;
    }
  }
}
