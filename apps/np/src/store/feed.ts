import type { Definition, Reads, RecordDefinition } from '@holdfast/keyspace';
import type { Event } from '../model/event.ts';
import { events } from './definitions.ts';

export interface FeedEntry {
  readonly sid: string;
  readonly event: Event;
}

/** The newest of all sessions, in the order of their times. */
export async function readFeed(reads: Reads, limit: number): Promise<readonly FeedEntry[]> {
  const found = await reads.list(feed, {}, { reverse: true, limit });
  return found.reverse();
}

type FeedReference = Extract<Definition, { readonly type: 'index' }> & {
  readonly source: 'idx/events/{ts}/{sid}/{seq}';
  readonly record: RecordDefinition<string, FeedEntry>;
};

/** A log does not offer its indexes to be listed by name, as a record does, so the reference is put together here. */
const feed = {
  type: 'index',
  source: 'idx/events/{ts}/{sid}/{seq}',
  template: events.indexes[0]?.template,
  index: events.indexes[0],
  record: {
    template: events.template,
    codec: {
      decode: (stored: string, key: string): FeedEntry => ({
        sid: String(events.template.decode(key)?.['sid']),
        event: events.codec.decode(stored, key),
      }),
    },
  },
} as unknown as FeedReference;
