import { createHash } from 'node:crypto';

import { isHoldfastError, SECOND } from '@holdfast/base';
import type { Caller } from '@holdfast/operation';

import { codexErrors } from '../model/errors.ts';
import type { FileEvent } from '../model/event.ts';
import { eventError } from '../model/failure.ts';
import { formatIdentity } from '../model/git.ts';
import type { Notebook } from '../model/notebook.ts';
import { eventsOfBatch, lastEventId } from '../store/events.ts';
import { notebookOf } from '../store/notebooks.ts';
import type { Codex } from './codex.ts';
import { pauseOf } from './pause.ts';
import type { Idempotency, Publication, Published } from './publish.ts';
import type { Request } from './requests.ts';

export interface Submission {
  /** The input of the operation. A request that repeats an Idempotency-Key must have the same input. */
  readonly input: { readonly wait?: number | undefined };
  /** Puts the events into a batch even if there is only one. */
  readonly isBatch?: boolean;
  /** Bytes of an upload, which are not part of the input. */
  readonly bytes?: Uint8Array;
}

export interface Submitted {
  readonly event: FileEvent;
  /** True if the caller waited and the operation ended in time. */
  readonly isDone: boolean;
}

/**
 * Queues one request, and waits for it if `wait` is set. Builds the request only if its Idempotency-Key is new, because
 * the files that it names may have changed since it was first sent.
 */
export async function submit(
  codex: Codex,
  notebook: Notebook,
  caller: Caller,
  request: () => Request | Promise<Request>,
  submission: Submission,
): Promise<Submitted> {
  const { events } = await publishFor(codex, notebook, caller, async () => [await request()], submission);
  const [event] = events;
  if (event === undefined) throw codexErrors.EVENT_NOT_FOUND('The event has already been removed');
  const done = await finished(codex, event, submission.input.wait, caller.signal);
  return { event: done ?? event, isDone: done !== undefined };
}

/** Suggested delay for clients when the queue is full. */
const RETRY_AFTER_SECONDS = 2;

export async function publishFor(
  codex: Codex,
  notebook: Notebook,
  caller: Caller,
  requests: Publication['requests'],
  submission: Submission,
): Promise<Published> {
  const { isBatch = false } = submission;
  const author = await authorFor(codex, notebook, caller);
  const idempotency = idempotencyOf(caller, submission);
  try {
    return await codex.publish({ notebookId: notebook.id, author, requests, isBatch, idempotency });
  } catch (error) {
    if (!isHoldfastError(error, 'QUEUE_FULL')) throw error;
    throw codexErrors.QUEUE_FULL(error.message, { details: { retry_after_seconds: RETRY_AFTER_SECONDS } });
  }
}

/** Returns the name of the caller; on a command line without a user name, the git user. */
export async function authorFor({ git }: Codex, notebook: Notebook, { name, face }: Caller): Promise<string> {
  if (face !== 'cli' || name !== 'unknown') return name;
  try {
    return formatIdentity((await git.repository(notebook.id)).user);
  } catch {
    return name;
  }
}

function idempotencyOf({ userId, idempotencyKey, via }: Caller, { input, bytes }: Submission): Idempotency | undefined {
  if (idempotencyKey === undefined) return undefined;
  const { wait: _wait, ...sent } = input;
  const hash = createHash('sha256').update(JSON.stringify([via, sent]));
  if (bytes !== undefined) hash.update('\0').update(bytes);
  // Keys are per user, so that nobody gets another user's event.
  return { key: `${userId ?? ''}:${idempotencyKey}`, requestHash: hash.digest('hex') };
}

/** Resolves with the event that ended the operation, or undefined after the timeout; throws if the operation failed. */
export async function finished(
  codex: Codex,
  event: FileEvent,
  waitSeconds: number | undefined,
  signal: AbortSignal | undefined,
): Promise<FileEvent | undefined> {
  // Does not wait for a paused notebook, because the end of the pause is unknown.
  if (waitSeconds === undefined || pauseOf(notebookOf(codex.store.reader, event.notebook_id)) !== null)
    return undefined;
  const timeoutMs = waitSeconds * SECOND;
  const waited = await codex.wait(event.id, timeoutMs, signal);
  if (waited === undefined || waited.timedOut) return undefined;
  for (const part of partsOf(codex, event)) {
    const end = await codex.wait(part.id, timeoutMs, signal);
    if (end === undefined || end.timedOut) return undefined;
    if (end.event.status === 'failed') throw eventError(end.event);
  }
  let last = waited.event;
  while (last.status === 'superseded' && last.superseded_by !== null) {
    const next = await codex.wait(last.superseded_by, 0);
    if (next === undefined) break;
    last = next.event;
  }
  if (last.status !== 'completed' && last.status !== 'superseded') throw eventError(last);
  return last;
}

/** Returns the other events of the same request: for example, the move of the file's sidecar. */
function partsOf(codex: Codex, { id, correlation_id }: FileEvent): readonly FileEvent[] {
  if (correlation_id === null) return [];
  return eventsOfBatch(codex.store.reader, correlation_id).filter((each) => each.id !== id);
}

const AFTER_EVENT_MS: number = 30 * SECOND;

/** Waits for an event, so that a read afterwards sees its effect. */
export async function afterEvent(codex: Codex, eventId: number | undefined, caller: Caller): Promise<void> {
  if (eventId === undefined) return;
  const waited = await codex.wait(eventId, AFTER_EVENT_MS, caller.signal);
  if (waited === undefined) {
    // The event is gone, so it has ended: only ended events are removed.
    if (eventId > 0 && eventId <= lastEventId(codex.store.reader)) return;
    throw codexErrors.EVENT_NOT_FOUND(`There is no event ${eventId}`);
  }
  if (waited.timedOut) throw codexErrors.WAIT_TIMEOUT(`Event ${eventId} is still ${waited.event.status}`);
}
