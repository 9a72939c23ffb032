import { readPage, SECOND, toTimestamp } from '@holdfast/base';
import type { Caller, GivenTo, InputOf, OutputOf } from '@holdfast/operation';

import { codexErrors } from '../model/errors.ts';
import { batchOf, type FileEvent, operationOf } from '../model/event.ts';
import type { Figures } from '../model/figures.ts';
import * as eventStore from '../store/events.ts';
import type { Transaction } from '../store/open.ts';
import type { Codex } from './codex.ts';
import type { CodexContext } from './context.ts';
import { notebookFor, writableNotebook } from './notebooks.ts';
import { finished, submit } from './submit.ts';
import { eventView, type EventView } from './views.ts';

import type * as operations from '../operations/queue.ts';

function eventOf(tx: Transaction, id: number): FileEvent {
  const event = eventStore.findEvent(tx, id);
  if (event === undefined) throw codexErrors.EVENT_NOT_FOUND(`There is no event ${id}`);
  return event;
}

export async function listEvents(
  codex: Codex,
  { notebook, status, limit, cursor }: InputOf<typeof operations.listEvents>,
): Promise<OutputOf<typeof operations.listEvents>> {
  const notebookId = notebook === undefined ? undefined : notebookFor(codex, notebook).id;
  const before = cursor === undefined ? undefined : Number(cursor);
  if (before !== undefined && !Number.isSafeInteger(before)) return { data: [], next_cursor: null };
  const read = (count: number): readonly FileEvent[] =>
    eventStore.listEvents(codex.store.reader, { notebookId, status, before, limit: count });
  const page = await readPage(limit, read, (last) => String(last.id));
  return { ...page, data: page.data.map(eventView) };
}

export function showEvent(codex: Codex, { id }: GivenTo<typeof operations.showEvent>): EventView {
  return eventView(eventOf(codex.store.reader, id));
}

export async function waitForEvent(
  codex: Codex,
  { id, wait }: InputOf<typeof operations.waitForEvent>,
  caller: Caller,
): Promise<OutputOf<typeof operations.waitForEvent>> {
  const waited = await codex.wait(id, wait * SECOND, caller.signal);
  if (waited === undefined) throw codexErrors.EVENT_NOT_FOUND(`There is no event ${id}`);
  return { ...eventView(waited.event), timed_out: waited.timedOut };
}

/** Cancels an event that has not started, with the rest of its batch. */
export async function cancelPending(codex: CodexContext, id: number): Promise<FileEvent> {
  return codex.store.write('codex cancel', (tx) => {
    const event = requireStatus(eventOf(tx, id), 'pending');
    const now = toTimestamp(codex.clock());
    eventStore.endEvent(tx, id, 'cancelled', now);
    const batch = batchOf(event);
    if (batch !== null) eventStore.skipRestOfBatch(tx, batch, event.sequence, now);
    return eventOf(tx, id);
  });
}

/** Queues a failed event again, unless a later operation has changed the same paths. */
export async function retryFailed(codex: CodexContext, id: number): Promise<FileEvent> {
  return codex.store.write('codex retry', (tx) => {
    const event = requireStatus(eventOf(tx, id), 'failed');
    const operation = operationOf(event);
    const later = operation === null ? undefined : eventStore.conflictingSince(tx, event);
    if (later !== undefined) {
      throw codexErrors.EVENT_OVERTAKEN(`Event ${later.id} has changed ${later.path ?? ''} since`);
    }
    eventStore.reviveEvent(tx, id);
    return eventOf(tx, id);
  });
}

export async function discardFailed(codex: CodexContext, id: number): Promise<FileEvent> {
  return codex.store.write('codex discard', (tx) => {
    requireStatus(eventOf(tx, id), 'failed');
    eventStore.endEvent(tx, id, 'discarded', toTimestamp(codex.clock()));
    return eventOf(tx, id);
  });
}

function requireStatus(event: FileEvent, status: FileEvent['status']): FileEvent {
  if (event.status === status) return event;
  throw codexErrors.EVENT_STATE(`Event ${event.id} is ${event.status}, not ${status}`);
}

export async function cancelEvent(codex: Codex, { id }: GivenTo<typeof operations.cancelEvent>): Promise<EventView> {
  return woken(codex, await cancelPending(codex, id));
}

export async function retryEvent(
  codex: Codex,
  { id, wait }: GivenTo<typeof operations.retryEvent>,
  caller: Caller,
): Promise<EventView> {
  const event = await retryFailed(codex, id);
  const queued = woken(codex, event);
  const done = await finished(codex, event, wait, caller.signal);
  return done === undefined ? queued : eventView(done);
}

export async function discardEvent(codex: Codex, { id }: GivenTo<typeof operations.discardEvent>): Promise<EventView> {
  return woken(codex, await discardFailed(codex, id));
}

function woken(codex: Codex, event: FileEvent): EventView {
  codex.lanes.wake(event.notebook_id);
  return eventView(event);
}

export async function commitNow(
  codex: Codex,
  input: InputOf<typeof operations.commitNow>,
  caller: Caller,
): Promise<OutputOf<typeof operations.commitNow>> {
  const notebook = writableNotebook(codex, input.notebook);
  const request = { type: 'batch_commit', message: input.message } as const;
  const { event, isDone } = await submit(codex, notebook, caller, () => request, { input });
  if (!isDone) throw codexErrors.WAIT_TIMEOUT(`The commit of event ${event.id} is not done yet`);
  return { commit_sha: event.commit_sha, event_id: event.id };
}

export function queueHistory(codex: Codex, { minutes }: InputOf<typeof operations.queueHistory>): Figures {
  return codex.figures.figures(minutes);
}
