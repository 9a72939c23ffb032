import { failpoint, toTimestamp } from '@holdfast/base';

import { isStaged, stageContent, type Staged } from '../adapters/blobs.ts';
import { codexErrors } from '../model/errors.ts';
import type { FileEvent } from '../model/event.ts';
import type { Notebook } from '../model/notebook.ts';
import type { Operation } from '../model/operation.ts';
import * as eventStore from '../store/events.ts';
import { activeNotebook } from '../store/notebooks.ts';
import type { Transaction } from '../store/open.ts';
import type { CodexContext } from './context.ts';
import { expandRequests, type Request, toOperation } from './requests.ts';

export interface Idempotency {
  readonly key: string;
  /** Hash of the request as it was sent. It does not depend on the current files. */
  readonly requestHash: string;
}

export interface Publication {
  readonly notebookId: number;
  readonly author: string;
  /** The requests, or a function that is called only if the idempotency key is new. */
  readonly requests: readonly Request[] | (() => readonly Request[] | Promise<readonly Request[]>);
  readonly idempotency?: Idempotency | undefined;
  /** Creates a batch even for a single request. */
  readonly isBatch?: boolean;
}

export interface Published {
  readonly events: readonly FileEvent[];
  /** True if the idempotency key was used before. */
  readonly isRepeat: boolean;
}

/**
 * Queues operations, all or none. Content is durable before an event refers to it, and the events are durable when the
 * promise resolves.
 */
export async function publish(codex: CodexContext, asked: Publication): Promise<Published> {
  const { store, settings } = codex;
  const { notebookId, idempotency } = asked;
  const notebook = activeNotebook(store.reader, notebookId);
  const repeated = repeatOf(store.reader, notebook, idempotency);
  if (repeated !== undefined) return repeated;
  const wanted = typeof asked.requests === 'function' ? await asked.requests() : asked.requests;
  const requests = expandRequests(store.reader, notebookId, wanted);
  if (requests.length > settings.max_pending) {
    throw codexErrors.BATCH_TOO_LARGE(
      `The batch has ${requests.length} operations; the maximum is ${settings.max_pending}`,
    );
  }
  const staged: (Staged | undefined)[] = [];
  for (const request of requests) staged.push(await stage(notebook, request, settings.max_file_bytes));
  failpoint('codex.publish.staged');
  const published = await store.writeDescribed('codex publish', (tx, describe): Published => {
    activeNotebook(tx, notebookId);
    const raced = repeatOf(tx, notebook, idempotency);
    if (raced !== undefined) return raced;
    requireRoom(tx, notebook, requests.length, settings.max_pending);
    const eventOf = newEventOf(tx, codex, asked, requests, staged);
    const { events, changed } = eventStore.insertEvents(tx, requests.length, eventOf);
    describe(changed);
    return { isRepeat: false, events };
  });
  failpoint('codex.publish.done');
  // Stages content again if maintenance has removed it just before the event referred to it.
  for (const [index, request] of requests.entries()) {
    const content = staged[index];
    if (content === undefined || content.inline !== undefined || isStaged(notebook.path, content)) continue;
    await stage(notebook, request, settings.max_file_bytes);
  }
  return published;
}

function requireRoom(tx: Transaction, { id, name }: Notebook, count: number, pendingMax: number): void {
  if (eventStore.pendingAtMost(tx, id) + count <= pendingMax) return;
  const waiting = eventStore.countRequests(tx, id, pendingMax);
  if (waiting + count <= pendingMax) return;
  throw codexErrors.QUEUE_FULL(`${name} has ${waiting} pending operations`, { details: { waiting } });
}

function newEventOf(
  tx: Transaction,
  codex: CodexContext,
  { notebookId, author, idempotency, isBatch }: Publication,
  requests: readonly Request[],
  staged: readonly (Staged | undefined)[],
): (sequence: number) => eventStore.NewEvent {
  const correlationId = requests.length > 1 || isBatch === true ? codex.newCorrelationId() : undefined;
  const now = toTimestamp(codex.clock());
  return (sequence) => {
    const content = staged[sequence];
    const operation: Operation = toOperation(tx, notebookId, requests[sequence] as Request, content, codex.newId);
    return {
      notebookId,
      operation,
      author,
      now,
      content: content?.inline,
      correlationId,
      sequence,
      // The first event carries the idempotency key of the whole publication.
      idempotencyKey: sequence === 0 ? idempotency?.key : undefined,
      requestHash: sequence === 0 ? idempotency?.requestHash : undefined,
    };
  };
}

async function stage(notebook: Notebook, request: Request, bytesMax: number): Promise<Staged | undefined> {
  const content = 'content' in request ? request.content : undefined;
  if (content === undefined) return undefined;
  if (content.length > bytesMax) {
    throw codexErrors.FILE_TOO_LARGE(`The content has ${content.length} bytes; the maximum is ${bytesMax}`);
  }
  return stageContent(notebook.path, content);
}

function repeatOf(tx: Transaction, notebook: Notebook, idempotency: Idempotency | undefined): Published | undefined {
  const first = idempotency === undefined ? undefined : eventStore.eventOfKey(tx, notebook.id, idempotency.key);
  if (first === undefined) return undefined;
  if (first.request_hash !== idempotency?.requestHash) {
    throw codexErrors.IDEMPOTENCY_MISMATCH('This idempotency key was already used for a different request');
  }
  return {
    isRepeat: true,
    events: first.correlation_id === null ? [first] : eventStore.eventsOfBatch(tx, first.correlation_id),
  };
}
