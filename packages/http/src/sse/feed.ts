import type { StreamEvent } from './event.ts';

/**
 * A source of numbered events, such as a journal or log. For a keyspace:
 * `{ head: async () => String(await db.revision()), open: (since, signal) => watchAsEvents(db, Number(since), signal)
 * }`
 */
export interface EventFeed {
  /** Id of the latest event, or the start of the feed: where a listener without an id begins. */
  head(): string | Promise<string>;
  /** Returns whether an id can belong to this feed; others are refused with 422. Without it, every id is tried. */
  accepts?(id: string): boolean;
  /** Yields events after `since`, in order, then new ones, until the signal aborts. */
  open(since: string, signal: AbortSignal): AsyncIterable<StreamEvent>;
}
