import type { StreamEvent } from './event.ts';

/**
 * A source of events: a journal, a log, anything numbered. Over a keyspace:
 * `{ head: async () => String(await db.revision()), open: (since, signal) => watchAsEvents(db, Number(since), signal) }`
 */
export interface EventFeed {
  /** The id of the latest event, or where the feed begins: a listener that names no id goes on from here. */
  head(): string | Promise<string>;
  /** True if the id can belong to this feed; other ids are refused with 422. Without it, every id is tried. */
  accepts?(id: string): boolean;
  /** Yields events after `since`, in order, then new ones, until the signal aborts. */
  open(since: string, signal: AbortSignal): AsyncIterable<StreamEvent>;
}
