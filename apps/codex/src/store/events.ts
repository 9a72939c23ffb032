import type { Row, RowImage } from '@holdfast/sqlite';

import type { EventResult, FileEvent, FileEventStatus } from '../model/event.ts';
import type { Failure } from '../model/failure.ts';
import { type Intent, type Operation, pathsOf, type SyncOperation } from '../model/operation.ts';
import { pathKey } from '../model/path.ts';
import { BusyPaths } from '../model/select-group.ts';
import type { Transaction } from './open.ts';

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

/** Takes `count` numbers of the change feed, and returns the last. */
function nextChange(tx: Transaction, count = 1): number {
  const row = tx.get<{ value: number }>(
    "UPDATE codex_meta SET value = value + ? WHERE key = 'change_seq' RETURNING value",
    count,
  ) as { value: number };
  return row.value;
}

const INSERT = `INSERT INTO file_events
  (notebook_id, event_type, operation, correlation_id, sequence, created_at, path, path_key, dest_path, dest_key, file_id,
   author, content_hash, content_size, content, idempotency_key, request_hash, change_seq)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`;

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
 * Also returns the changed rows for the journal. Calls `eventOf` in order, because an event may depend on those before
 * it.
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
  return tx.get<FileEvent & Row>(
    INSERT,
    event.notebookId,
    operation.type,
    JSON.stringify(operation),
    event.correlationId ?? null,
    event.sequence ?? 0,
    event.now,
    path ?? null,
    path === undefined ? null : pathKey(path),
    dest ?? null,
    dest === undefined ? null : pathKey(dest),
    'file_id' in operation ? (operation.file_id ?? null) : null,
    event.author,
    staged?.hash ?? null,
    staged?.size ?? null,
    event.content ?? null,
    event.idempotencyKey ?? null,
    event.requestHash ?? null,
    changeSeq,
  ) as FileEvent & Row;
}

export function findEvent(tx: Transaction, id: number): FileEvent | undefined {
  return tx.get<FileEvent>('SELECT * FROM file_events WHERE id = ?', id);
}

export function isPending(tx: Transaction, id: number): boolean {
  return tx.get("SELECT 1 FROM file_events WHERE id = ? AND status = 'pending'", id) !== undefined;
}

export function eventsOfBatch(tx: Transaction, correlationId: string): FileEvent[] {
  return tx.all<FileEvent>('SELECT * FROM file_events WHERE correlation_id = ? ORDER BY sequence', correlationId);
}

export function eventOfKey(tx: Transaction, notebookId: number, key: string): FileEvent | undefined {
  return tx.get<FileEvent>('SELECT * FROM file_events WHERE notebook_id = ? AND idempotency_key = ?', notebookId, key);
}

/** Unfinished events in queue order. */
export function waitingEvents(tx: Transaction, notebookId: number, after: number, limit: number): FileEvent[] {
  return tx.all<FileEvent>(
    `SELECT * FROM file_events WHERE notebook_id = ?1 AND id > ?2 AND status IN ('pending', 'processing')
     ORDER BY id LIMIT ?3`,
    notebookId,
    after,
    limit,
  );
}

/** The operation that will create this file: a create, or an update that it was folded into. */
export function waitingCreate(tx: Transaction, notebookId: number, fileId: string): FileEvent | undefined {
  return tx.get<FileEvent>(
    `SELECT * FROM file_events WHERE notebook_id = ? AND status IN ('pending', 'processing') AND event_type IN ('create', 'update')
       AND file_id = ? ORDER BY id LIMIT 1`,
    notebookId,
    fileId,
  );
}

export function waitingMoves(tx: Transaction, notebookId: number): FileEvent[] {
  return tx.all<FileEvent>(
    `SELECT * FROM file_events WHERE notebook_id = ? AND status IN ('pending', 'processing') AND event_type = 'move'
     ORDER BY id`,
    notebookId,
  );
}

/** The last unfinished operation that leaves a file at this path. */
export function lastArrival(tx: Transaction, notebookId: number, key: string): FileEvent | undefined {
  return tx.get<FileEvent>(
    `SELECT * FROM file_events WHERE notebook_id = ?1 AND status IN ('pending', 'processing') AND file_id IS NOT NULL
       AND ((event_type IN ('create', 'update') AND path_key = ?2) OR (event_type = 'move' AND dest_key = ?2))
     ORDER BY id DESC LIMIT 1`,
    notebookId,
    key,
  );
}

/** An upper bound of the pending events that does not read each of them. */
export function pendingAtMost(tx: Transaction, notebookId: number): number {
  const row = tx.get<{ n: number | null }>(
    `SELECT (SELECT max(id) FROM file_events WHERE notebook_id = ?1 AND status = 'pending')
          - (SELECT min(id) FROM file_events WHERE notebook_id = ?1 AND status = 'pending') + 1 AS n`,
    notebookId,
  );
  return row?.n ?? 0;
}

export function countPending(tx: Transaction, notebookId: number): number {
  const row = tx.get<{ n: number }>(
    "SELECT count(*) AS n FROM file_events WHERE notebook_id = ? AND status = 'pending'",
    notebookId,
  );
  return row?.n ?? 0;
}

/** Notebooks with unfinished work. */
export function busyNotebooks(tx: Transaction): number[] {
  const rows = tx.all<{ id: number }>(
    `SELECT id FROM notebooks n WHERE EXISTS (
       SELECT 1 FROM file_events e WHERE e.notebook_id = n.id AND e.status IN ('pending', 'processing'))
     OR EXISTS (SELECT 1 FROM link_rewrites r WHERE r.notebook_id = n.id)`,
  );
  return rows.map(({ id }) => id);
}

/** Cheaper than whole events, for callers that wait for a few of them to end. */
export function changedStatuses(
  tx: Transaction,
  since: number,
  limit: number,
): Pick<FileEvent, 'id' | 'status' | 'change_seq'>[] {
  return tx.all(
    'SELECT id, status, change_seq FROM file_events WHERE change_seq > ? ORDER BY change_seq LIMIT ?',
    since,
    limit,
  );
}

export function changedEvents(tx: Transaction, since: number, limit: number): FileEvent[] {
  return tx.all<FileEvent>('SELECT * FROM file_events WHERE change_seq > ? ORDER BY change_seq LIMIT ?', since, limit);
}

export function lastChange(tx: Transaction): number {
  return tx.get<{ value: number }>("SELECT value FROM codex_meta WHERE key = 'change_seq'")?.value ?? 0;
}

/** Highest event number ever used, including pruned events. */
export function lastEventId(tx: Transaction): number {
  return tx.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'file_events'")?.seq ?? 0;
}

interface EventFilter {
  readonly notebookId?: number | undefined;
  readonly status?: FileEventStatus | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
}

export function listEvents(tx: Transaction, { notebookId, status, before, limit }: EventFilter): FileEvent[] {
  return tx.all<FileEvent>(
    `SELECT * FROM file_events WHERE (?1 IS NULL OR notebook_id = ?1) AND (?2 IS NULL OR status = ?2)
       AND (?3 IS NULL OR id < ?3) ORDER BY id DESC LIMIT ?4`,
    notebookId ?? null,
    status ?? null,
    before ?? null,
    limit,
  );
}

export function startEvent(tx: Transaction, id: number, fence: number, now: string): void {
  tx.run(
    "UPDATE file_events SET status = 'processing', fence = ?, started_at = ?, change_seq = ? WHERE id = ?",
    fence,
    now,
    nextChange(tx),
    id,
  );
}

/** Sets the operation that is left after folding, with its content. */
export function setEffective(
  tx: Transaction,
  id: number,
  operation: Operation | null,
  content: Uint8Array | null,
): void {
  const staged = operation !== null && 'staged' in operation ? operation.staged : undefined;
  tx.run(
    'UPDATE file_events SET effective = ?, content_hash = ?, content_size = ?, content = ? WHERE id = ?',
    JSON.stringify(operation),
    staged?.hash ?? null,
    staged?.size ?? null,
    content,
    id,
  );
}

export function endEvent(
  tx: Transaction,
  id: number,
  status: FileEventStatus,
  now: string,
  by: number | null = null,
): void {
  tx.run(
    'UPDATE file_events SET status = ?, processed_at = ?, superseded_by = ?, change_seq = ? WHERE id = ?',
    status,
    now,
    by,
    nextChange(tx),
    id,
  );
}

export function completeEvent(tx: Transaction, id: number, result: EventResult, now: string): void {
  tx.run(
    `UPDATE file_events SET status = 'completed', processed_at = ?, result = ?, error_code = NULL, error_message = NULL,
       file_id = coalesce(?, file_id), commit_sha = coalesce(?, commit_sha), change_seq = ? WHERE id = ?`,
    now,
    JSON.stringify(result),
    result.file_id ?? null,
    result.commit_sha ?? null,
    nextChange(tx),
    id,
  );
}

export function failEvent(tx: Transaction, id: number, failure: Failure, tries: number, now: string): void {
  tx.run(
    `UPDATE file_events SET status = 'failed', processed_at = ?, retry_count = ?, error_code = ?, error_message = ?,
       change_seq = ? WHERE id = ?`,
    now,
    tries,
    failure.code,
    failure.message.replaceAll('\0', '␀'),
    nextChange(tx),
    id,
  );
}

export function postponeEvent(tx: Transaction, id: number, failure: Failure, tries: number, runAt: number): void {
  tx.run(
    `UPDATE file_events SET status = 'pending', retry_count = ?, error_code = ?, error_message = ?, run_at = ?,
       fence = NULL, change_seq = ? WHERE id = ?`,
    tries,
    failure.code,
    failure.message.replaceAll('\0', '␀'),
    runAt,
    nextChange(tx),
    id,
  );
}

/** Returns the event to the queue, to start over. */
export function requeueEvent(tx: Transaction, id: number): void {
  tx.run("UPDATE file_events SET status = 'pending', fence = NULL, change_seq = ? WHERE id = ?", nextChange(tx), id);
}

/** Returns the event to the queue as if it had not been tried. */
export function reviveEvent(tx: Transaction, id: number): void {
  tx.run(
    `UPDATE file_events SET status = 'pending', retry_count = 0, run_at = 0, processed_at = NULL, fence = NULL,
       error_code = NULL, error_message = NULL, change_seq = ? WHERE id = ?`,
    nextChange(tx),
    id,
  );
}

export function skipRestOfBatch(tx: Transaction, correlationId: string, after: number, now: string): void {
  const rest = tx.all<{ id: number }>(
    "SELECT id FROM file_events WHERE correlation_id = ? AND sequence > ? AND status = 'pending' ORDER BY sequence",
    correlationId,
    after,
  );
  for (const { id } of rest) endEvent(tx, id, 'skipped', now);
}

/** A later operation, running or done, on the same path or on one above or below it. */
export function conflictingSince(tx: Transaction, event: FileEvent): FileEvent | undefined {
  const done = tx.all<FileEvent>(
    `SELECT * FROM file_events WHERE notebook_id = ? AND id > ? AND status IN ('processing', 'completed')
       AND event_type != 'batch_commit' ORDER BY id`,
    event.notebook_id,
    event.id,
  );
  const own = new BusyPaths();
  for (const key of [event.path_key, event.dest_key]) if (key !== null) own.add(key);
  return done.find(({ path_key, dest_key }) => [path_key, dest_key].some((key) => key !== null && own.collides(key)));
}

export function saveIntent(tx: Transaction, eventId: number, notebookId: number, intent: Intent): void {
  tx.run(
    'INSERT INTO intents (event_id, notebook_id, intent) VALUES (?, ?, ?) ON CONFLICT (event_id) DO UPDATE SET intent = excluded.intent',
    eventId,
    notebookId,
    JSON.stringify(intent),
  );
}

export function intentOf(tx: Transaction, eventId: number): Intent | undefined {
  const row = tx.get<{ intent: string }>('SELECT intent FROM intents WHERE event_id = ?', eventId);
  return row === undefined ? undefined : (JSON.parse(row.intent) as Intent);
}

export function dropIntent(tx: Transaction, eventId: number): void {
  tx.run('DELETE FROM intents WHERE event_id = ?', eventId);
}

/** Keeps failed events longer than others, and keeps every event that git still refers to. */
export function pruneEvents(tx: Transaction, doneBefore: string, failedBefore: string, limit: number): number {
  return tx.run(
    `DELETE FROM file_events WHERE id IN (
       SELECT id FROM file_events e WHERE processed_at IS NOT NULL
         AND processed_at < CASE WHEN status = 'failed' THEN ?2 ELSE ?1 END
         AND status NOT IN ('pending', 'processing')
         AND NOT EXISTS (SELECT 1 FROM git_pending g WHERE g.notebook_id = e.notebook_id AND g.event_id = e.id)
       LIMIT ?3)`,
    doneBefore,
    failedBefore,
    limit,
  ).changes;
}

/** Returns whether an unfinished or failed operation, or git, needs the staged content of this hash. */
export function isContentNeeded(tx: Transaction, notebookId: number, hash: string): boolean {
  const row = tx.get<{ needed: number }>(
    `SELECT EXISTS (SELECT 1 FROM file_events WHERE notebook_id = ?1 AND content_hash = ?2
         AND status IN ('pending', 'processing', 'failed'))
       OR EXISTS (SELECT 1 FROM git_pending WHERE notebook_id = ?1 AND blob_hash = ?2)
       OR EXISTS (SELECT 1 FROM intents WHERE notebook_id = ?1 AND instr(intent, ?2) > 0) AS needed`,
    notebookId,
    hash,
  );
  return row?.needed === 1;
}
