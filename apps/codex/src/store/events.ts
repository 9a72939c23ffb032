import { parseStoredObject } from '@holdfast/base';
import type { Row, RowImage } from '@holdfast/sqlite';

import type { EventResult, FileEvent, FileEventStatus } from '../model/event.ts';
import type { Failure } from '../model/failure.ts';
import { type Intent, type Operation, pathsOf, type SyncOperation } from '../model/operation.ts';
import { pathKey } from '../model/path.ts';
import { BusyPaths } from '../model/select-group.ts';
import type { Transaction } from './open.ts';
import { all, get, insertReturning, run, update, upsert } from './sql.ts';

export interface NewEvent {
  readonly notebookId: number;
  readonly operation: Operation;
  readonly author: string;
  readonly now: string;
  readonly content?: Uint8Array | undefined;
  readonly correlationId?: string | undefined;
  readonly sequence?: number;
  readonly idempotencyKey?: string | undefined;
  readonly requestHash?: string | undefined;
}

/** Reserves `count` numbers in the change feed and returns the last one. */
export function nextChange(tx: Transaction, count = 1): number {
  const row = get<{ value: number }>(tx)`UPDATE codex_meta SET value = value + ${count} WHERE key = 'change_seq'
    RETURNING value` as { value: number };
  return row.value;
}

export function insertEvent(tx: Transaction, event: NewEvent): FileEvent {
  return insertNumbered(tx, event, nextChange(tx));
}

/** Author of changes made outside of codex. */
const EXTERNAL_AUTHOR = 'external';

export function insertSyncEvents(
  tx: Transaction,
  notebookId: number,
  operations: readonly SyncOperation[],
  now: string,
): void {
  for (const operation of operations) insertEvent(tx, { notebookId, operation, author: EXTERNAL_AUTHOR, now });
}

/**
 * Inserts events. Returns the events, and the changed rows for the journal. Calls `eventOf` in order, because an event
 * may depend on earlier ones.
 */
export function insertEvents(
  tx: Transaction,
  count: number,
  eventOf: (index: number) => NewEvent,
): { events: FileEvent[]; changed: RowImage[] } {
  const last = nextChange(tx, count);
  const before = last - count;
  const inserted = Array.from({ length: count }, (_, n) => insertNumbered(tx, eventOf(n), before + n + 1));
  const feed = { table: 'codex_meta', key: 'key', before: feedAt(before), after: feedAt(last) };
  const rows = inserted.map((event) => ({ table: 'file_events', key: 'id', after: event }));
  return { events: inserted, changed: [feed, ...rows] };
}

function feedAt(value: number): Row {
  return { key: 'change_seq', value };
}

function insertNumbered(tx: Transaction, event: NewEvent, changeSeq: number): FileEvent & Row {
  const { operation } = event;
  const [path, dest] = pathsOf(operation);
  const staged = 'staged' in operation ? operation.staged : undefined;
  return insertReturning<FileEvent & Row>(tx, 'file_events', {
    notebook_id: event.notebookId,
    event_type: operation.type,
    operation: JSON.stringify(operation),
    correlation_id: event.correlationId ?? null,
    sequence: event.sequence ?? 0,
    created_at: event.now,
    path: path ?? null,
    path_key: path === undefined ? null : pathKey(path),
    dest_path: dest ?? null,
    dest_key: dest === undefined ? null : pathKey(dest),
    file_id: 'file_id' in operation ? (operation.file_id ?? null) : null,
    author: event.author,
    content_hash: staged?.hash ?? null,
    content_size: staged?.size ?? null,
    content: event.content ?? null,
    idempotency_key: event.idempotencyKey ?? null,
    request_hash: event.requestHash ?? null,
    change_seq: changeSeq,
  });
}

export function findEvent(tx: Transaction, id: number): FileEvent | undefined {
  return get<FileEvent>(tx)`SELECT * FROM file_events WHERE id = ${id}`;
}

type Ending = Pick<FileEvent, 'id' | 'status' | 'superseded_by'>;

/** Reads only the columns that callers need to wait for an event. */
export function statusOf(tx: Transaction, id: number): Ending | undefined {
  return get<Ending>(tx)`SELECT id, status, superseded_by FROM file_events WHERE id = ${id}`;
}

export function isPending(tx: Transaction, id: number): boolean {
  return get(tx)`SELECT 1 FROM file_events WHERE id = ${id} AND status = 'pending'` !== undefined;
}

export function eventsOfBatch(tx: Transaction, correlationId: string): FileEvent[] {
  return all<FileEvent>(tx)`SELECT * FROM file_events WHERE correlation_id = ${correlationId} ORDER BY sequence`;
}

export function eventOfKey(tx: Transaction, notebookId: number, key: string): FileEvent | undefined {
  return get<FileEvent>(tx)`SELECT * FROM file_events WHERE notebook_id = ${notebookId} AND idempotency_key = ${key}`;
}

/** Returns the unfinished events in queue order. */
export function waitingEvents(tx: Transaction, notebookId: number, after: number, limit: number): FileEvent[] {
  return all<FileEvent>(tx)`SELECT * FROM file_events WHERE notebook_id = ${notebookId} AND id > ${after}
    AND status IN ('pending', 'processing') ORDER BY id LIMIT ${limit}`;
}

/** Returns whether the next `count` unfinished events are all changes by other programs, and the last of them. */
export function nextAreSyncs(tx: Transaction, notebookId: number, count: number): { last: number } | undefined {
  const row = get<{ found: number; syncs: number; last: number }>(tx)`SELECT count(*) AS found, max(id) AS last,
    coalesce(sum(event_type = 'sync'), 0) AS syncs FROM (SELECT id, event_type FROM file_events
    WHERE notebook_id = ${notebookId} AND status IN ('pending', 'processing') ORDER BY id LIMIT ${count})`;
  return row?.found === count && row.syncs === count ? { last: row.last } : undefined;
}

/** Returns the operation that will create this file: a create, or an update that the create was folded into. */
export function waitingCreate(tx: Transaction, notebookId: number, fileId: string): FileEvent | undefined {
  return get<FileEvent>(tx)`SELECT * FROM file_events WHERE notebook_id = ${notebookId}
    AND status IN ('pending', 'processing') AND event_type IN ('create', 'update') AND file_id = ${fileId}
    ORDER BY id LIMIT 1`;
}

export function waitingMoves(tx: Transaction, notebookId: number): FileEvent[] {
  return all<FileEvent>(tx)`SELECT * FROM file_events WHERE notebook_id = ${notebookId}
    AND status IN ('pending', 'processing') AND event_type = 'move' ORDER BY id`;
}

/** Returns the last unfinished operation that will leave a file at this path. */
export function lastArrival(tx: Transaction, notebookId: number, key: string): FileEvent | undefined {
  return get<FileEvent>(tx)`SELECT * FROM file_events WHERE notebook_id = ${notebookId}
    AND status IN ('pending', 'processing') AND file_id IS NOT NULL AND ((event_type IN ('create', 'update')
    AND path_key = ${key}) OR (event_type = 'move' AND dest_key = ${key})) ORDER BY id DESC LIMIT 1`;
}

/** Returns an upper bound for the number of pending events, computed without reading all of them. */
export function pendingAtMost(tx: Transaction, notebookId: number): number {
  const row = get<{ n: number | null }>(tx)`SELECT (SELECT max(id) FROM file_events WHERE notebook_id = ${notebookId}
    AND status = 'pending') - (SELECT min(id) FROM file_events WHERE notebook_id = ${notebookId}
    AND status = 'pending') + 1 AS n`;
  return row?.n ?? 0;
}

export function countPending(tx: Transaction, notebookId: number): number {
  const row = get<{ n: number }>(tx)`SELECT count(*) AS n FROM file_events WHERE notebook_id = ${notebookId}
    AND status = 'pending'`;
  return row?.n ?? 0;
}

/** Counts changes by other programs that are not read yet. */
export function countSyncs(tx: Transaction, notebookId: number): number {
  const row = get<{ n: number }>(tx)`SELECT count(*) AS n FROM file_events WHERE notebook_id = ${notebookId}
    AND status IN ('pending', 'processing') AND event_type = 'sync'`;
  return row?.n ?? 0;
}

/** Counts file operations that are running. */
export function countRunning(tx: Transaction, notebookId: number): number {
  const row = get<{ n: number }>(tx)`SELECT count(*) AS n FROM file_events WHERE notebook_id = ${notebookId}
    AND status = 'processing' AND event_type <> 'batch_commit'`;
  return row?.n ?? 0;
}

/** Counts pending requests from callers, up to `enough`. Changes that the watcher found do not count. */
export function countRequests(tx: Transaction, notebookId: number, enough: number): number {
  const row = get<{ n: number }>(tx)`SELECT count(*) AS n FROM (SELECT 1 FROM file_events
    WHERE notebook_id = ${notebookId} AND status = 'pending' AND event_type <> 'sync' LIMIT ${enough})`;
  return row?.n ?? 0;
}

/** Returns whether requests from callers wait behind this event. */
export function hasRequestAfter(tx: Transaction, notebookId: number, eventId: number): boolean {
  const found = get(tx)`SELECT 1 FROM file_events WHERE notebook_id = ${notebookId} AND status = 'pending'
    AND id > ${eventId} AND event_type <> 'sync' LIMIT 1`;
  return found !== undefined;
}

/** Returns the notebooks with unfinished work. */
export function busyNotebooks(tx: Transaction): number[] {
  const rows = tx.all<{ id: number }>(
    `SELECT id FROM notebooks n WHERE EXISTS (
       SELECT 1 FROM file_events e WHERE e.notebook_id = n.id AND e.status IN ('pending', 'processing'))
     OR EXISTS (SELECT 1 FROM link_rewrites r WHERE r.notebook_id = n.id)`,
  );
  return rows.map(({ id }) => id);
}

type ChangedStatus = Pick<FileEvent, 'id' | 'status' | 'change_seq'>;

/** Reads only the statuses, for callers that wait for a few events to end. Reading whole events would cost more. */
export function changedStatuses(tx: Transaction, since: number, limit: number): ChangedStatus[] {
  return all<ChangedStatus>(tx)`SELECT id, status, change_seq FROM file_events WHERE change_seq > ${since}
    ORDER BY change_seq LIMIT ${limit}`;
}

export function changedEvents(tx: Transaction, since: number, limit: number): FileEvent[] {
  return all<FileEvent>(tx)`SELECT * FROM file_events WHERE change_seq > ${since} ORDER BY change_seq LIMIT ${limit}`;
}

export function lastChange(tx: Transaction): number {
  return tx.get<{ value: number }>("SELECT value FROM codex_meta WHERE key = 'change_seq'")?.value ?? 0;
}

/** Returns the highest event number ever used, including pruned events. */
export function lastEventId(tx: Transaction): number {
  return tx.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'file_events'")?.seq ?? 0;
}

interface EventFilter {
  readonly notebookId?: number | null | undefined;
  readonly status?: FileEventStatus | null | undefined;
  readonly before?: number | null | undefined;
  readonly limit: number;
}

export function listEvents(
  tx: Transaction,
  { notebookId = null, status = null, before = null, limit }: EventFilter,
): FileEvent[] {
  return all<FileEvent>(tx)`SELECT * FROM file_events WHERE (${notebookId} IS NULL OR notebook_id = ${notebookId})
    AND (${status} IS NULL OR status = ${status}) AND (${before} IS NULL OR id < ${before})
    ORDER BY id DESC LIMIT ${limit}`;
}

/** Updates the event and gives it the next number in the change feed, so that listeners see the change. */
function changeEvent(tx: Transaction, id: number, changes: Parameters<typeof update>[3]): void {
  update(tx, 'file_events', id, { ...changes, change_seq: nextChange(tx) });
}

export function startEvent(tx: Transaction, id: number, fence: number, now: string, changeSeq = nextChange(tx)): void {
  update(tx, 'file_events', id, { status: 'processing', fence, started_at: now, change_seq: changeSeq });
}

/** Stores the operation that results from folding, with its content. */
export function setEffective(
  tx: Transaction,
  id: number,
  operation: Operation | null,
  content: Uint8Array | null,
): void {
  const staged = operation !== null && 'staged' in operation ? operation.staged : undefined;
  const content_hash = staged?.hash ?? null;
  const content_size = staged?.size ?? null;
  update(tx, 'file_events', id, { effective: JSON.stringify(operation), content_hash, content_size, content });
}

export function endEvent(
  tx: Transaction,
  id: number,
  status: FileEventStatus,
  now: string,
  by: number | null = null,
): void {
  changeEvent(tx, id, { status, processed_at: now, superseded_by: by });
}

export function completeEvent(
  tx: Transaction,
  id: number,
  result: EventResult,
  now: string,
  changeSeq = nextChange(tx),
): void {
  const { file_id, commit_sha } = result;
  update(tx, 'file_events', id, {
    change_seq: changeSeq,
    status: 'completed',
    processed_at: now,
    result: JSON.stringify(result),
    error_code: null,
    error_message: null,
    ...(file_id === undefined ? {} : { file_id }),
    ...(commit_sha === undefined ? {} : { commit_sha }),
  });
}

export function failEvent(tx: Transaction, id: number, failure: Failure, tries: number, now: string): void {
  changeEvent(tx, id, { status: 'failed', processed_at: now, retry_count: tries, ...reasonOf(failure) });
}

export function postponeEvent(tx: Transaction, id: number, failure: Failure, tries: number, runAt: number): void {
  changeEvent(tx, id, { status: 'pending', retry_count: tries, run_at: runAt, fence: null, ...reasonOf(failure) });
}

function reasonOf({ code, message }: Failure): { error_code: string; error_message: string } {
  return { error_code: code, error_message: message.replaceAll('\0', '␀') };
}

/** Puts the event back into the queue. */
export function requeueEvent(tx: Transaction, id: number): void {
  changeEvent(tx, id, { status: 'pending', fence: null });
}

/** Puts the event back into the queue and resets its retries. */
export function reviveEvent(tx: Transaction, id: number): void {
  const notTried = {
    retry_count: 0,
    run_at: 0,
    processed_at: null,
    fence: null,
    error_code: null,
    error_message: null,
  };
  changeEvent(tx, id, { status: 'pending', ...notTried });
}

export function skipRestOfBatch(tx: Transaction, correlationId: string, after: number, now: string): void {
  const rest = all<{ id: number }>(tx)`SELECT id FROM file_events WHERE correlation_id = ${correlationId}
    AND sequence > ${after} AND status = 'pending' ORDER BY sequence`;
  for (const { id } of rest) endEvent(tx, id, 'skipped', now);
}

/** Returns a later operation, running or done, on the same path or on a path above or below it. */
export function conflictingSince(tx: Transaction, event: FileEvent): FileEvent | undefined {
  const done = all<FileEvent>(tx)`SELECT * FROM file_events WHERE notebook_id = ${event.notebook_id}
    AND id > ${event.id} AND status IN ('processing', 'completed') AND event_type != 'batch_commit' ORDER BY id`;
  const own = new BusyPaths();
  for (const key of [event.path_key, event.dest_key]) if (key !== null) own.add(key);
  return done.find(({ path_key, dest_key }) => [path_key, dest_key].some((key) => key !== null && own.collides(key)));
}

export function saveIntent(tx: Transaction, eventId: number, notebookId: number, intent: Intent): void {
  upsert(tx, 'intents', 'event_id', { event_id: eventId, notebook_id: notebookId, intent: JSON.stringify(intent) });
}

export function intentOf(tx: Transaction, eventId: number): Intent | undefined {
  const row = get<{ intent: string }>(tx)`SELECT intent FROM intents WHERE event_id = ${eventId}`;
  return row === undefined ? undefined : (parseStoredObject(row.intent) as Intent);
}

export function dropIntents(tx: Transaction, eventIds: readonly number[]): void {
  run(tx)`DELETE FROM intents WHERE event_id IN (SELECT value FROM json_each(${JSON.stringify(eventIds)}))`;
}

/**
 * Deletes old events that have ended, at most `limit`. Keeps failed events longer, and keeps events whose changes are
 * not yet committed to git. Returns the number of deleted events.
 */
export function pruneEvents(tx: Transaction, doneBefore: string, failedBefore: string, limit: number): number {
  return run(tx)`DELETE FROM file_events WHERE id IN (
    SELECT id FROM file_events e WHERE processed_at IS NOT NULL
    AND processed_at < CASE WHEN status = 'failed' THEN ${failedBefore} ELSE ${doneBefore} END
    AND status NOT IN ('pending', 'processing')
    AND NOT EXISTS (SELECT 1 FROM git_pending g WHERE g.notebook_id = e.notebook_id AND g.event_id = e.id)
    LIMIT ${limit})`;
}

/** Returns whether git, or an unfinished or failed operation, needs the staged content with this hash. */
export function isContentNeeded(tx: Transaction, notebookId: number, hash: string): boolean {
  const row = get<{ needed: number }>(tx)`SELECT EXISTS (SELECT 1 FROM file_events WHERE notebook_id = ${notebookId}
    AND content_hash = ${hash} AND status IN ('pending', 'processing', 'failed'))
    OR EXISTS (SELECT 1 FROM git_pending WHERE notebook_id = ${notebookId} AND blob_hash = ${hash})
    OR EXISTS (SELECT 1 FROM intents WHERE notebook_id = ${notebookId} AND instr(intent, ${hash}) > 0) AS needed`;
  return row?.needed === 1;
}
