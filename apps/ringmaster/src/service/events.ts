import { follow } from '@holdfast/base';

import { type EventQuery, listEvents, type StoredEvent } from '../store/events.ts';
import type { Ringmaster } from './ringmaster.ts';

const PAGE = 500;

/** An event with its JSON columns parsed. */
export interface RingmasterEvent extends Omit<StoredEvent, 'data' | 'before' | 'after'> {
  readonly data: unknown;
  readonly before: unknown;
  readonly after: unknown;
}

/** Returns the newest `limit` events, oldest first; with `since`, the first ones after that id. */
export function allEvents({ store }: Ringmaster, query: EventQuery): readonly RingmasterEvent[] {
  return listEvents(store.reader, query).map(withParsedData);
}

/** Yields every event after `since`, also those of other processes, until aborted. */
export async function* followEvents(
  { store }: Ringmaster,
  query: Omit<EventQuery, 'limit'>,
  signal: AbortSignal,
): AsyncGenerator<RingmasterEvent> {
  const last = listEvents(store.reader, { limit: 1 }).at(-1)?.id ?? 0;
  const source = {
    read: (since: number) =>
      listEvents(store.reader, { ...query, since, limit: PAGE }).map((event) => ({ revision: event.id, event })),
    subscribe: (wake: () => void) => store.database.onChange(wake),
  };
  for await (const { event } of follow(source, query.since ?? last, signal)) yield withParsedData(event);
}

function withParsedData({ data, before, after, ...event }: StoredEvent): RingmasterEvent {
  return { ...event, data: parsed(data), before: parsed(before), after: parsed(after) };
}

function parsed(text: string | null): unknown {
  return text === null ? null : JSON.parse(text);
}
