import { statusOf } from '../lib/reason.ts';
import { createStore, type Store } from '../lib/store.ts';
import { follow } from './follow.ts';
import type { LiveEvent } from './parse-events.ts';

/** `lost` is a server that does not answer; `refused` one that answers, but not with a stream. */
export type LiveState = 'off' | 'connecting' | 'live' | 'paused' | 'lost' | 'refused';

const RETRY_MIN_MS = 500;
const RETRY_MAX_MS = 4_000;
/** A browser allows six connections to a server; tabs that nobody sees give theirs back. */
const HIDDEN_MS = 20_000;

interface Listener {
  readonly onEvent: (event: LiveEvent) => void;
  /** The stream begins, or begins again: what was read before may be out of date. */
  readonly onGap: () => void;
  readonly onSignedOut: () => void;
}

export interface Connection {
  readonly state: Store<LiveState>;
  /** Begins, or goes on where it was. */
  resume(): void;
  pause(): void;
  /** And forgets where it was. */
  stop(): void;
}

/** Keeps one stream open and goes on where it was after every interruption, whoever caused it. */
export function createConnection(url: string, { onEvent, onGap, onSignedOut }: Listener): Connection {
  const state = createStore<LiveState>('off');
  let position: string | undefined;
  let running: AbortController | undefined;

  const run = async (signal: AbortSignal): Promise<void> => {
    let delay = RETRY_MIN_MS;
    while (!signal.aborted) {
      try {
        await follow({
          url,
          since: position,
          signal,
          onOpen() {
            delay = RETRY_MIN_MS;
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
        // A position that the server does not know: somebody put another data home behind it.
        if (status === 422) position = undefined;
        if (status === 401) {
          state.set('off');
          return onSignedOut();
        }
        state.set(status === undefined ? 'lost' : 'refused');
      }
      await sleep(delay, signal);
      delay = Math.min(delay * 1.6, RETRY_MAX_MS);
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

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
