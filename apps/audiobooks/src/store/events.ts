import type { Transaction } from '@holdfast/keyspace';
import type { PlaybackEvent } from '../model/playback.ts';
import { eventIds, playbackEvents } from './definitions.ts';

/** Stores an event with its client id, which detects repetitions. */
export async function writeEvent(tx: Transaction, event: PlaybackEvent): Promise<void> {
  const { user_id: user, book_id: book, id, client_event_id: clientId } = event;
  await tx.put(playbackEvents, { user_id: user, book_id: book, id }, event);
  if (clientId === null) return;
  await tx.put(eventIds, { user, client_event_id: clientId }, `${book}:${id}`);
}

export async function isKnownEvent(tx: Transaction, user: string, clientId: string): Promise<boolean> {
  return (await tx.get(eventIds, { user, client_event_id: clientId })) !== undefined;
}

/** Returns whether the event existed. */
export async function removeEvent(tx: Transaction, event: PlaybackEvent): Promise<boolean> {
  const { user_id: user, book_id: book, id, client_event_id: clientId } = event;
  if (clientId !== null) await tx.delete(eventIds, { user, client_event_id: clientId });
  return tx.delete(playbackEvents, { user_id: user, book_id: book, id });
}
