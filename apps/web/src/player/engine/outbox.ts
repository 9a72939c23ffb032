import { audiobooksApi } from '../../api/audiobooks-client.ts';
import type { PlaybackAnswer, PlaybackEvent, Progress } from '../../api/listening-types.ts';
import { statusOf } from '../../lib/reason.ts';
import { BATCH, newestOf, nextBatch, tooMany, waitAfter } from '../model/outbox.ts';
import { forget, namesBeginning, recall, remember } from './memory.ts';

export interface Outbox {
  add(event: PlaybackEvent): void;
  /** The last that happened to a book and was not sent yet. */
  unsent(bookId: string): PlaybackEvent | undefined;
  /** Sends what there is, as far as the server takes it. */
  flush(): Promise<void>;
  /** The page is going away, and does not wait for an answer. */
  leave(): void;
  close(): void;
}

/** Asking again later may help; for anything else the server has its reasons, and says the same next time. */
const isTemporary = (status: number): boolean => status === 0 || status >= 500 || [401, 403, 408, 429].includes(status);

/**
 * Reports of listening on their way to the server. Each is kept in this browser, under a name of its own so that tabs
 * do not overwrite each other's, until the server has answered for it: what is sent twice counts once.
 */
export function openOutbox(userId: string, onProgress: (progress: readonly Progress[]) => void): Outbox {
  const prefix = `event.${userId}.`;
  const waiting = new Map<string, PlaybackEvent>();
  for (const name of namesBeginning(prefix)) {
    const event = recall<PlaybackEvent>(name);
    if (event !== undefined) waiting.set(event.event_id, event);
  }
  let failures = 0;
  let size = BATCH;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sending: Promise<void> | undefined;
  let isClosed = false;

  const drop = (id: string): void => {
    waiting.delete(id);
    forget(prefix + id);
  };
  const later = (ms: number): void => {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(() => void flush(), ms);
  };
  const sendBatch = async (): Promise<void> => {
    const events = nextBatch(waiting.values(), size);
    try {
      const { data }: { readonly data: PlaybackAnswer } = await audiobooksApi.POST('/playback', { body: { events } });
      for (const { event_id: id } of events) drop(id);
      failures = 0;
      size = BATCH;
      onProgress(data.progress);
    } catch (error) {
      const status = statusOf(error) ?? 0;
      if (isTemporary(status)) {
        failures += 1;
        throw error;
      }
      // One of them is refused altogether: find out which, and let the others through.
      if (events.length === 1) drop(events[0]?.event_id ?? '');
      else size = 1;
    }
  };
  const send = async (): Promise<void> => {
    try {
      while (waiting.size > 0 && !isClosed) await sendBatch();
    } catch {
      later(waitAfter(failures));
    } finally {
      sending = undefined;
    }
  };
  function flush(): Promise<void> {
    clearTimeout(timer);
    sending ??= send();
    return sending;
  }
  const onOnline = (): void => void flush();
  window.addEventListener('online', onOnline);
  if (waiting.size > 0) later(0);
  return {
    add(event) {
      waiting.set(event.event_id, event);
      remember(prefix + event.event_id, event);
      for (const { event_id: id } of tooMany(waiting.values())) drop(id);
      // What belongs together goes together.
      if (failures === 0) later(100);
    },
    unsent: (bookId) => newestOf(waiting.values(), bookId),
    flush,
    leave() {
      if (waiting.size === 0) return;
      const events = nextBatch(waiting.values(), BATCH);
      void fetch(audiobooksApi.url('/playback'), {
        method: 'POST',
        keepalive: true,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ events }),
      }).catch(() => undefined);
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      window.removeEventListener('online', onOnline);
    },
  };
}
