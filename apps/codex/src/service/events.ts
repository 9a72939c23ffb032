import { type Page, readPage, SECOND, toTimestamp } from '@holdfast/base';
import type { Caller } from '@holdfast/operation';

import { codexErrors } from '../model/errors.ts';
import { batchOf, type FileEvent, operationOf } from '../model/event.ts';
import type { EventView } from '../operations/fields.ts';
import type * as operations from '../operations/queue.ts';
import * as eventStore from '../store/events.ts';
import type { Transaction } from '../store/open.ts';
import type { Codex } from './codex.ts';
import type { CodexContext } from './context.ts';
import { requireFree } from './handlers/plan.ts';
import { notebookFor, writableNotebook } from './notebooks.ts';
import { finished, submit } from './submit.ts';
import { eventView } from './views.ts';

function eventOf(tx: Transaction, id: number): FileEvent {
  const event = eventStore.findEvent(tx, id);
  if (event === undefined) throw codexErrors.EVENT_NOT_FOUND(`There is no event ${id}`);
  return event;
}

export async function listEvents(
  codex: Codex,
  { notebook, status, limit, cursor }: operations.ListEventsInput,
): Promise<Page<EventView>> {
  const notebookId = notebook === undefined ? undefined : notebookFor(codex, notebook).id;
  const before = cursor === undefined ? undefined : Number(cursor);
  if (before !== undefined && !Number.isSafeInteger(before)) return { data: [], next_cursor: null };
  const read = (count: number): readonly FileEvent[] =>
    eventStore.listEvents(codex.store.reader, { notebookId, status, before, limit: count });
  const page = await readPage(limit, read, (last) => String(last.id));
  return { ...page, data: page.data.map(eventView) };
}

export function showEvent(codex: Codex, { id }: operations.EventInput): EventView {
  return eventView(eventOf(codex.store.reader, id));
}

export async function waitForEvent(
  codex: Codex,
  { id, wait }: operations.WaitForEventInput,
  caller: Caller,
): Promise<EventView & { readonly timed_out: boolean }> {
  const waited = await codex.wait(id, wait * SECOND, caller.signal);
  if (waited === undefined) throw codexErrors.EVENT_NOT_FOUND(`There is no event ${id}`);
  return { ...eventView(waited.event), timed_out: waited.timedOut };
}

/** Changes an event in one commit. Throws EVENT_STATE if the event does not have the expected status. */
async function changeEvent(
  codex: CodexContext,
  id: number,
  status: FileEvent['status'],
  change: (tx: Transaction, event: FileEvent) => void,
): Promise<FileEvent> {
  return codex.store.write(`codex change ${status} event`, (tx) => {
    const event = eventOf(tx, id);
    if (event.status !== status) throw codexErrors.EVENT_STATE(`Event ${id} is ${event.status}, not ${status}`);
    change(tx, event);
    return eventOf(tx, id);
  });
}

/** Cancels an event that has not started, and the rest of its batch. */
export function cancelPending(codex: CodexContext, id: number): Promise<FileEvent> {
  return changeEvent(codex, id, 'pending', (tx, event) => {
    const now = toTimestamp(codex.clock());
    eventStore.endEvent(tx, id, 'cancelled', now);
    const batch = batchOf(event);
    if (batch !== null) eventStore.skipRestOfBatch(tx, batch, event.sequence, now);
  });
}

/** Queues a failed event again, unless a later operation has changed the same paths. */
export function retryFailed(codex: CodexContext, id: number): Promise<FileEvent> {
  return changeEvent(codex, id, 'failed', (tx, event) => {
    const later = isFreeCreate(tx, event) ? undefined : eventStore.conflictingSince(tx, event);
    if (later !== undefined) {
      throw codexErrors.EVENT_OVERTAKEN(`Event ${later.id} has since changed ${later.path ?? ''}`);
    }
    eventStore.reviveEvent(tx, id);
  });
}

/** A failed create whose path is still free may run again: it cannot overwrite a later change. */
function isFreeCreate(tx: Transaction, event: FileEvent): boolean {
  const operation = operationOf(event);
  if (operation?.type !== 'create') return operation === null;
  try {
    requireFree(tx, event.notebook_id, operation.path);
    return true;
  } catch {
    return false;
  }
}

export function discardFailed(codex: CodexContext, id: number): Promise<FileEvent> {
  return changeEvent(codex, id, 'failed', (tx) => eventStore.endEvent(tx, id, 'discarded', toTimestamp(codex.clock())));
}

export async function cancelEvent(codex: Codex, { id }: operations.EventInput): Promise<EventView> {
  return woken(codex, await cancelPending(codex, id));
}

export async function retryEvent(codex: Codex, input: operations.RetryEventInput, caller: Caller): Promise<EventView> {
  const event = await retryFailed(codex, input.id);
  const queued = woken(codex, event);
  const done = await finished(codex, event, input.wait, caller.signal);
  return done === undefined ? queued : eventView(done);
}

export async function discardEvent(codex: Codex, { id }: operations.EventInput): Promise<EventView> {
  return woken(codex, await discardFailed(codex, id));
}

function woken(codex: Codex, event: FileEvent): EventView {
  codex.lanes.wake(event.notebook_id);
  return eventView(event);
}

export async function commitNow(
  codex: Codex,
  input: operations.CommitNowInput,
  caller: Caller,
): Promise<{ readonly commit_sha: string | null; readonly event_id: number }> {
  const notebook = writableNotebook(codex, input.notebook);
  const request = { type: 'batch_commit', message: input.message } as const;
  const { event, isDone } = await submit(codex, notebook, caller, () => request, { input });
  if (!isDone) throw codexErrors.WAIT_TIMEOUT(`The commit of event ${event.id} is not finished yet`);
  return { commit_sha: event.commit_sha, event_id: event.id };
}
