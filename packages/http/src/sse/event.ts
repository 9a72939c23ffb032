/** One event. A listener can resume from its `id`, which only the feed interprets. */
export interface StreamEvent {
  readonly id: string;
  readonly event: string;
  /** Anything that JSON can carry. */
  readonly data: unknown;
}

const encoder = new TextEncoder();
const frames = new WeakMap<StreamEvent, Uint8Array>();

export const HEARTBEAT: Uint8Array = encoder.encode(': \n\n');

/** Encodes an event once for all listeners. */
export function frameOf(event: StreamEvent): Uint8Array {
  const known = frames.get(event);
  if (known !== undefined) return known;
  const name = oneLine(event.event);
  // JSON contains no line breaks, so one data line is enough.
  const frame = encoder.encode(
    `id: ${oneLine(event.id)}\nevent: ${name}\ndata: ${JSON.stringify(event.data ?? null)}\n\n`,
  );
  frames.set(event, frame);
  return frame;
}

/** Sends a position without an event: browsers store the id but call no event listener. */
export function positionFrame(id: string): Uint8Array {
  return encoder.encode(`id: ${oneLine(id)}\n\n`);
}

/** Returns the first bytes of a stream: reconnect delay and position. */
export function openingFrame(retryMs: number, since: string): Uint8Array {
  return encoder.encode(`retry: ${retryMs}\nid: ${oneLine(since)}\n\n`);
}

/** Removes line breaks, which would start another field of the event. */
function oneLine(text: string): string {
  return text.replace(/[\r\n\0]/g, ' ');
}

/**
 * A source of numbered events, such as a journal or log. For a keyspace:
 *
 * ```ts
 * const feed: EventFeed = {
 *   head: async () => String(await db.revision()),
 *   open: (since, signal) => watchAsEvents(db, Number(since), signal),
 * };
 * ```
 */
export interface EventFeed {
  /** Position for a listener that sends no id: the id of the latest event, or the start of the feed. */
  head(): string | Promise<string>;
  /**
   * Returns whether an id can belong to this feed; other ids are answered with 422. A feed without this method accepts
   * every id.
   */
  accepts?(id: string): boolean;
  /** Yields events after `since`, in order, then new ones, until the signal aborts. */
  open(since: string, signal: AbortSignal): AsyncIterable<StreamEvent>;
}
