import type { Reads, Transaction } from '@holdfast/keyspace';
import type { Event } from '../model/event.ts';
import { events } from './definitions.ts';

/** Creates or advances the counter. */
export function advanceCounter(tx: Transaction, sid: string, amount: number): void {
  tx.add(events.counter, { sid }, amount);
}

export interface EventRange {
  /** Only events with a higher number. */
  readonly after?: number | undefined;
  readonly limit?: number;
}

/** Returns the oldest events after a number, in order. */
export async function readEvents(reads: Reads, sid: string, { after = -1, limit }: EventRange): Promise<Event[]> {
  return reads.list(events, { sid }, { start: after + 1, ...(limit === undefined ? {} : { limit }) });
}

/** Returns the newest events, in order. */
export async function readLastEvents(reads: Reads, sid: string, limit: number): Promise<Event[]> {
  return (await reads.list(events, { sid }, { reverse: true, limit })).reverse();
}

export interface FeedEntry {
  readonly sid: string;
  readonly event: Event;
}

/** The newest events of all sessions, oldest first. */
export async function readFeed(reads: Reads, limit: number): Promise<readonly FeedEntry[]> {
  const found = await reads.entries(events.by.feed, {}, { reverse: true, limit });
  return found.reverse().map(({ key, value }) => ({ sid: key.sid, event: value }));
}
