import { createHash, randomUUID } from 'node:crypto';

import { failpoint } from '@holdfast/base';

import { type Staged, stageContent } from '../adapters/blobs.ts';
import { codexErrors } from '../model/errors.ts';
import type { FileEvent } from '../model/event.ts';
import type { Notebook } from '../model/notebook.ts';
import type { Operation } from '../model/operation.ts';
import { timeText } from '../model/time.ts';
import { countPending, eventOfKey, eventsOfBatch, findEvent, insertEvent } from '../store/events.ts';
import { activeNotebook } from '../store/notebooks.ts';
import type { Tx } from '../store/open.ts';
import type { Codex } from './codex.ts';
import { expandRequests } from './expand-requests.ts';
import { type Request, toOperation } from './requests.ts';

export interface Publication {
  readonly notebookId: number;
  readonly author: string;
  readonly requests: readonly Request[];
  readonly idempotencyKey?: string | undefined;
  /** Several requests always share one; a single one only when it is asked for. */
  readonly isBatch?: boolean;
}

export interface Published {
  readonly events: readonly FileEvent[];
  /** Whether they had been published before, under the same idempotency key. */
  readonly isRepeat: boolean;
}

/**
 * Puts operations into the queue, all or none. Content is durable under its hash before anything refers to it, and the
 * events are durable when this resolves.
 */
export async function publish(codex: Codex, asked: Publication): Promise<Published> {
  const { store, settings } = codex;
  const { notebookId, idempotencyKey } = asked;
  const notebook = activeNotebook(store.reader, notebookId);
  const requestHash = idempotencyKey === undefined ? undefined : hashOf(asked.requests);
  const repeated = repeatOf(store.reader, notebook, idempotencyKey, requestHash);
  if (repeated !== undefined) return repeated;
  const requests = expandRequests(store.reader, notebookId, asked.requests);
  const publication: Publication = { ...asked, requests };
  const staged: (Staged | undefined)[] = [];
  for (const request of requests) staged.push(await stage(notebook, request, settings.max_file_bytes));
  failpoint('codex.publish.staged');
  const published = await store.write('codex publish', (tx): Published => {
    activeNotebook(tx, notebookId);
    const raced = repeatOf(tx, notebook, idempotencyKey, requestHash);
    if (raced !== undefined) return raced;
    const waiting = countPending(tx, notebookId);
    if (waiting + requests.length > settings.max_pending) {
      throw codexErrors.QUEUE_FULL(`${waiting} operations wait for ${notebook.name}`, { details: { waiting } });
    }
    return { isRepeat: false, events: insertAll(tx, codex, publication, staged, requestHash) };
  });
  failpoint('codex.publish.done');
  // Content that lay there unneeded may have been cleared away just before the event referred to it.
  for (const [index, request] of requests.entries()) {
    if (staged[index]?.inline === undefined) await stage(notebook, request, settings.max_file_bytes);
  }
  return published;
}

function insertAll(
  tx: Tx,
  codex: Codex,
  { notebookId, author, requests, idempotencyKey, isBatch }: Publication,
  staged: readonly (Staged | undefined)[],
  requestHash: string | undefined,
): readonly FileEvent[] {
  const correlationId = requests.length > 1 || isBatch === true ? randomUUID() : undefined;
  const now = timeText(codex.clock());
  return requests.map((request, sequence) => {
    const content = staged[sequence];
    const operation: Operation = toOperation(tx, notebookId, request, content, codex.newId);
    const id = insertEvent(tx, {
      notebookId,
      operation,
      author,
      now,
      content: content?.inline,
      correlationId,
      sequence,
      // The key names the whole publication; its first event carries it.
      idempotencyKey: sequence === 0 ? idempotencyKey : undefined,
      requestHash: sequence === 0 ? requestHash : undefined,
    });
    return findEvent(tx, id) as FileEvent;
  });
}

async function stage(notebook: Notebook, request: Request, bytesMax: number): Promise<Staged | undefined> {
  const content = 'content' in request ? request.content : undefined;
  if (content === undefined) return undefined;
  if (content.length > bytesMax) {
    throw codexErrors.FILE_TOO_LARGE(`${content.length} bytes are more than ${bytesMax}`);
  }
  return stageContent(notebook.path, content);
}

function repeatOf(
  tx: Tx,
  notebook: Notebook,
  key: string | undefined,
  requestHash: string | undefined,
): Published | undefined {
  const first = key === undefined ? undefined : eventOfKey(tx, notebook.id, key);
  if (first === undefined) return undefined;
  if (first.request_hash !== requestHash) {
    throw codexErrors.IDEMPOTENCY_MISMATCH(`The key ${JSON.stringify(key)} was used for another operation`);
  }
  return { isRepeat: true, events: first.correlation_id === null ? [first] : eventsOfBatch(tx, first.correlation_id) };
}

function hashOf(requests: readonly Request[]): string {
  const hash = createHash('sha256');
  for (const { content, ...rest } of requests as readonly (Request & { content?: Uint8Array })[]) {
    hash.update(JSON.stringify(rest)).update('\0');
    if (content !== undefined) hash.update(content);
  }
  return hash.digest('hex');
}
