import { follow } from '@holdfast/base';

import { type EventQuery, listEvents, type StoredEvent } from '../store/events.ts';
import type { Ringmaster } from './ringmaster.ts';

const PAGE = 500;

/** Every event after `since`, also those of other processes, until told to stop. */
export async function* followEvents(
  { store }: Ringmaster,
  query: EventQuery,
  signal: AbortSignal,
): AsyncGenerator<StoredEvent> {
  const last = listEvents(store.reader, { limit: 1 }).at(-1)?.id ?? 0;
  const source = {
    read: (since: number) =>
      listEvents(store.reader, { ...query, since, limit: PAGE }).map((event) => ({ revision: event.id, event })),
    subscribe: (wake: () => void) => store.database.onChange(wake),
  };
  for await (const { event } of follow(source, query.since ?? last, signal)) yield event;
}
