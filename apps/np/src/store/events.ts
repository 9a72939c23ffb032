import type { Reads, Transaction } from '@holdfast/keyspace';
import type { Event } from '../model/event.ts';
import { events } from './definitions.ts';

/** Writes an event under a number that is already decided: the first of a session, and all of an imported one. */
export function writeEvent(transaction: Transaction, sid: string, event: Event): void {
  const fields = { sid, seq: event.seq };
  const key = events.template.encode(fields);
  transaction.writeKey(key, events.codec.encode(event, key));
  for (const index of events.indexes) {
    for (const [indexKey, value] of index.entries(event, fields)) transaction.writeKey(indexKey, value);
  }
}

/** Creates the counter, or moves it on. */
export function advanceCounter(transaction: Transaction, sid: string, amount: number): void {
  transaction.add(events.counter, { sid }, amount);
}

export interface EventRange {
  /** Only events with a higher number. */
  readonly after?: number | undefined;
  readonly limit?: number;
}

/** The oldest after a number, in order. */
export async function readEvents(reads: Reads, sid: string, { after = -1, limit }: EventRange): Promise<Event[]> {
  return reads.list(events, { sid }, { start: after + 1, ...(limit === undefined ? {} : { limit }) });
}

/** The newest, in order. */
export async function readLastEvents(reads: Reads, sid: string, limit: number): Promise<Event[]> {
  return (await reads.list(events, { sid }, { reverse: true, limit })).reverse();
}
