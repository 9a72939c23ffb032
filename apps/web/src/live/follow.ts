import { ProblemError } from '@holdfast/http/client';

import { eventParser, type LiveEvent } from './parse-events.ts';

/** The server sends a heartbeat every 15 s; after two missed heartbeats the connection counts as dead. */
const SILENCE_MS = 40_000;

export interface Follow {
  readonly url: string;
  readonly since: string | undefined;
  readonly signal: AbortSignal;
  readonly onOpen: () => void;
  readonly onEvent: (event: LiveEvent) => void;
}

/**
 * Reads one event stream until it ends. Uses fetch because EventSource gives up permanently on the first non-stream
 * response, hides the reason and does not expose its position.
 */
export async function follow({ url, since, signal, onOpen, onEvent }: Follow): Promise<void> {
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
