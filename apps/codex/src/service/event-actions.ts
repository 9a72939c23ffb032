import { toTimestamp } from '@holdfast/base';
import { codexErrors } from '../model/errors.ts';
import { batchOf, type FileEvent, operationOf } from '../model/event.ts';
import { conflictingSince, endEvent, findEvent, reviveEvent, skipRestOfBatch } from '../store/events.ts';
import type { Tx } from '../store/open.ts';
import type { CodexContext } from './context.ts';

export function eventOf(tx: Tx, id: number): FileEvent {
  const event = findEvent(tx, id);
  if (event === undefined) throw codexErrors.EVENT_NOT_FOUND(`There is no event ${id}`);
  return event;
}

/** Only what has not begun can be cancelled; the rest of its batch goes with it. */
export async function cancelEvent(codex: CodexContext, id: number): Promise<FileEvent> {
  return codex.store.write('codex cancel', (tx) => {
    const event = requireStatus(eventOf(tx, id), 'pending');
    const now = toTimestamp(codex.clock());
    endEvent(tx, id, 'cancelled', now);
    const batch = batchOf(event);
    if (batch !== null) skipRestOfBatch(tx, batch, event.sequence, now);
    return eventOf(tx, id);
  });
}

/** A failed one gets its turn again, unless something later has been done on the same paths. */
export async function retryEvent(codex: CodexContext, id: number): Promise<FileEvent> {
  return codex.store.write('codex retry', (tx) => {
    const event = requireStatus(eventOf(tx, id), 'failed');
    const operation = operationOf(event);
    const later = operation === null ? undefined : conflictingSince(tx, event);
    if (later !== undefined) {
      throw codexErrors.EVENT_OVERTAKEN(`Event ${later.id} has changed ${later.path ?? ''} since`);
    }
    reviveEvent(tx, id);
    return eventOf(tx, id);
  });
}

/** A failed one was looked at and is not going to be done. */
export async function discardEvent(codex: CodexContext, id: number): Promise<FileEvent> {
  return codex.store.write('codex discard', (tx) => {
    requireStatus(eventOf(tx, id), 'failed');
    endEvent(tx, id, 'discarded', toTimestamp(codex.clock()));
    return eventOf(tx, id);
  });
}

function requireStatus(event: FileEvent, status: FileEvent['status']): FileEvent {
  if (event.status === status) return event;
  throw codexErrors.EVENT_STATE(`Event ${event.id} is ${event.status}, not ${status}`);
}
