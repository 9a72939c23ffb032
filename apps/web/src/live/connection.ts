import { delay } from '@holdfast/base/time';
import { ProblemError } from '@holdfast/http/client';

import { reportSignedOut } from '../api/query-client.ts';
import { statusOf } from '../lib/error-reason.ts';
import { createStore, type Store } from '../lib/store.ts';
import { eventParser, type LiveEvent } from './parse-events.ts';

/** `lost`: the server does not answer. `refused`: it answers, but not with a stream. */
export type LiveState = 'off' | 'connecting' | 'live' | 'paused' | 'lost' | 'refused';

const RETRY_MIN_MS = 500;
const RETRY_MAX_MS = 4_000;
/** Hidden tabs close their stream after this time, because a browser allows six HTTP/1.1 connections per server. */
const HIDDEN_MS = 20_000;

interface Listener {
  readonly onEvent: (event: LiveEvent) => void;
  /** Called when the stream starts or restarts, because events may have been missed. */
  readonly onGap: () => void;
}

export interface Connection {
  readonly state: Store<LiveState>;
  resume(): void;
  pause(): void;
  /** Closes the stream and forgets its position. */
  stop(): void;
}

/** Keeps one event stream open; reconnects after interruptions and continues after the last event received. */
export function createConnection(url: string, { onEvent, onGap }: Listener): Connection {
  const state = createStore<LiveState>('off');
  let position: string | undefined;
  let running: AbortController | undefined;

  const run = async (signal: AbortSignal): Promise<void> => {
    let retryMs = RETRY_MIN_MS;
    while (!signal.aborted) {
      try {
        await follow({
          url,
          since: position,
          signal,
          onOpen() {
            retryMs = RETRY_MIN_MS;
            if (state.get() !== 'live') onGap();
            state.set('live');
          },
          onEvent(event) {
            position = event.id ?? position;
            if (event.data !== '') onEvent(event);
          },
        });
        if (!signal.aborted) state.set('lost');
      } catch (error) {
        if (signal.aborted) return;
        const status = statusOf(error);
        // The server does not know this position, because its data was replaced.
        if (status === 422) position = undefined;
        if (status === 401) {
          state.set('off');
          return reportSignedOut();
        }
        state.set(status === undefined ? 'lost' : 'refused');
      }
      await delay(retryMs, signal);
      retryMs = Math.min(retryMs * 1.6, RETRY_MAX_MS);
    }
  };

  const open = (): void => {
    if (running !== undefined) return;
    running = new AbortController();
    if (state.get() === 'off' || state.get() === 'paused') state.set('connecting');
    const { signal } = running;
    void run(signal);
  };
  const close = (): void => {
    running?.abort();
    running = undefined;
  };
  watchVisibility(
    () => state.get() === 'live' && close(),
    () => state.get() !== 'off' && state.get() !== 'paused' && open(),
  );
  return {
    state,
    stop() {
      close();
      position = undefined;
      state.set('off');
    },
    pause() {
      close();
      state.set('paused');
    },
    resume: open,
  };
}

function watchVisibility(onHidden: () => void, onVisible: () => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener('visibilitychange', () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(onHidden, HIDDEN_MS);
    else onVisible();
  });
  window.addEventListener('online', onVisible);
}

/** The server sends a heartbeat every 15 s. After two missed heartbeats, the connection counts as broken. */
const SILENCE_MS = 40_000;

interface Follow {
  readonly url: string;
  readonly since: string | undefined;
  readonly signal: AbortSignal;
  readonly onOpen: () => void;
  readonly onEvent: (event: LiveEvent) => void;
}

/**
 * Reads one event stream until it ends. Uses fetch instead of EventSource, which gives up permanently after the first
 * response that is not a stream, hides the reason and cannot start at a stored position.
 */
async function follow({ url, since, signal, onOpen, onEvent }: Follow): Promise<void> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const response = await fetch(url, {
      headers: { accept: 'text/event-stream', ...(since === undefined ? {} : { 'last-event-id': since }) },
      signal: AbortSignal.any([signal, silence.signal]),
      cache: 'no-store',
    });
    if (!response.ok) throw new ProblemError(response.status, (await response.json().catch(() => ({}))) as object);
    onOpen();
    const parse = eventParser(onEvent);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const step = await reader?.read();
      if (step === undefined || step.done) return;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      parse(step.value);
    }
  } finally {
    clearTimeout(timer);
  }
}
