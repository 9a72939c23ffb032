import { httpErrors } from '../errors.ts';
import type { HandlerInput } from '../routes/route.ts';
import { type EventFeed, frameOf, HEARTBEAT, openingFrame, positionFrame, type StreamEvent } from './event.ts';
import { endReading } from './broadcaster.ts';
import type { LiveStream, StreamScope } from './registry.ts';

export interface SseOptions {
  readonly feed: EventFeed;
  /** Selects the events that this listener may see. */
  readonly filter?: (event: StreamEvent) => boolean;
}

/**
 * Streams events after the id in `Last-Event-ID` (sent by browsers) or `?since=`. Without an id, streams only new
 * events. The first frame is the current position, so a connection that is lost before the first event misses nothing.
 * Reads the feed only as fast as the client does: a slow client slows only itself.
 */
export async function sse(
  input: Pick<HandlerInput, 'request' | 'streams' | 'log'>,
  options: SseOptions,
): Promise<Response> {
  const since = sinceOf(input.request, options.feed) ?? (await options.feed.head());
  const stream = new EventStream(input.streams, options, since, (error) =>
    input.log.error({ err: error }, 'event feed failed'),
  );
  return new Response(stream.body, {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      // Without this header, nginx would buffer events.
      'x-accel-buffering': 'no',
    },
  });
}

class EventStream implements LiveStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly #scope: StreamScope;
  readonly #filter: (event: StreamEvent) => boolean;
  readonly #iterator: AsyncIterator<StreamEvent>;
  readonly #abort = new AbortController();
  readonly #onError: (error: unknown) => void;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** Id of the last event that the filter rejected; sent with the next heartbeat. */
  #skippedId: string | undefined;
  #checkedAt = performance.now();

  constructor(scope: StreamScope, { feed, filter }: SseOptions, since: string, onError: (error: unknown) => void) {
    this.#scope = scope;
    this.#filter = filter ?? (() => true);
    this.#onError = onError;
    scope.add(this);
    this.#iterator = feed.open(since, this.#abort.signal)[Symbol.asyncIterator]();
    this.body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
        controller.enqueue(openingFrame(scope.retryMs, since));
      },
      pull: (controller) => this.#pull(controller),
      cancel: () => this.#release(),
    });
  }

  beat(now: number): void {
    if (now - this.#checkedAt >= this.#scope.recheckMs) void this.recheck();
    // Sends no heartbeats to a client that does not read; its socket times out.
    if ((this.#controller?.desiredSize ?? 0) <= 0) return;
    this.#controller?.enqueue(this.#skippedId === undefined ? HEARTBEAT : positionFrame(this.#skippedId));
    this.#skippedId = undefined;
  }

  async recheck(): Promise<void> {
    this.#checkedAt = performance.now();
    const isAllowed = await this.#scope.isStillAllowed().catch(() => true);
    if (!isAllowed) this.close();
  }

  close(): void {
    if (this.#controller === undefined) return;
    this.#controller.close();
    this.#release();
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      for (;;) {
        const step = await this.#iterator.next();
        if (this.#controller === undefined) return;
        if (step.done === true) return this.close();
        if (!this.#filter(step.value)) {
          this.#skippedId = step.value.id;
          continue;
        }
        this.#skippedId = undefined;
        controller.enqueue(frameOf(step.value));
        return;
      }
    } catch (error) {
      // Ends the stream without an error: with or without one, the client reconnects and resumes from its last id.
      this.#onError(error);
      this.close();
    }
  }

  #release(): void {
    this.#controller = undefined;
    this.#scope.remove(this);
    endReading(this.#iterator, this.#abort);
  }
}

const POSITION = /^[\x20-\x7e]{1,512}$/;

/**
 * Returns the position to resume from. Prefers `Last-Event-ID`, because a browser repeats the URL with its older id
 * unchanged.
 */
function sinceOf(request: Request, feed: EventFeed): string | undefined {
  const header = request.headers.get('last-event-id');
  const since = header !== null && header !== '' ? header : new URL(request.url).searchParams.get('since');
  if (since === null || since === '') return undefined;
  if (POSITION.test(since) && (feed.accepts?.(since) ?? true)) return since;
  throw httpErrors.VALIDATION_FAILED('The position to resume from was not issued by this server', {
    details: { errors: [{ in: 'query', path: '/since', code: 'invalid_format', message: 'Not a valid position' }] },
  });
}
