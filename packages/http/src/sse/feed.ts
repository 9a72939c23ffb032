import type { StreamEvent } from './event.ts';

/**
 * Where events come from: a journal, a log, anything numbered. Over a keyspace:
 * `{ head: async () => String(await db.revision()), open: (since, signal) => watchAsEvents(db, Number(since), signal) }`
 */
export interface EventFeed {
  /** The id of the latest event, or where the feed begins: a listener that names no id goes on from here. */
  head(): string | Promise<string>;
  /** Whether an id can be one of this feed's; what is not is refused with 422. Left out, everything is tried. */
  accepts?(id: string): boolean;
  /** Everything after `since`, in order, then whatever is added, until the signal aborts. */
  open(since: string, signal: AbortSignal): AsyncIterable<StreamEvent>;
}
