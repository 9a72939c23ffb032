import { setMeta } from './meta.ts';
import { type Destination, insertNotification } from './notifications.ts';
import { insertRow, type SqlValue, type Store, type Tx } from './open.ts';

export interface Actor {
  readonly type: 'person' | 'worker' | 'system' | 'agent';
  readonly id: string;
}

/** Actor, time and correlation of a change, for the event log. */
export interface Call {
  readonly actor: Actor;
  readonly now: string;
  readonly correlation: string;
  /** Destinations of notifications in ringmaster.toml. */
  readonly destinations: readonly Destination[];
}

/** Why people are notified. */
export type Situation =
  'decision' | 'question' | 'review' | 'blocked' | 'failed' | 'worker_parked' | 'budget_reached' | 'all_done';

/** Content of a notification about an event. */
export interface Notice {
  readonly situation: Situation;
  readonly text: string;
  readonly task?: string;
  readonly worker?: string;
}

export interface NewEvent {
  readonly type: string;
  readonly entity: 'project' | 'task' | 'worker' | 'attempt' | 'chat' | 'summary' | 'store';
  readonly id: string;
  readonly data?: unknown;
  readonly before?: unknown;
  readonly after?: unknown;
  /** A notification to send; stored in the same commit. */
  readonly notify?: Notice | undefined;
}

export function recordEvent(tx: Tx, call: Call, event: NewEvent): number {
  const { actor, now, correlation } = call;
  const id = insertRow(tx, 'events', {
    event_type: event.type,
    entity_type: event.entity,
    entity_id: event.id,
    data: json(event.data),
    created_at: now,
    actor_type: actor.type,
    actor_id: actor.id,
    before: json(event.before),
    after: json(event.after),
    correlation_id: correlation,
  });
  if (event.notify !== undefined) queueNotifications(tx, call, id, event.notify);
  return id;
}

function queueNotifications(tx: Tx, { now, correlation, destinations }: Call, event: number, notice: Notice): void {
  const { situation, text, task = null, worker = null } = notice;
  // Event ids are unique only within a workspace, so the correlation id is added.
  const body = JSON.stringify({ id: `${event}-${correlation}`, situation, text, task, worker, created_at: now });
  for (const destination of destinations) {
    insertNotification(tx, { event_id: event, destination, body, created_at: now, next_attempt_at: now });
  }
}

export interface StoredEvent {
  readonly id: number;
  readonly event_type: string;
  readonly entity_type: string;
  readonly entity_id: string;
  readonly data: string | null;
  readonly created_at: string;
  readonly actor_type: string;
  readonly actor_id: string | null;
  readonly before: string | null;
  readonly after: string | null;
  readonly correlation_id: string | null;
}

export interface EventQuery {
  readonly since?: number | undefined;
  readonly entity?: string | undefined;
  readonly type?: string | undefined;
  readonly limit: number;
}

/** Returns the newest `limit` matching events, oldest first. With `since`, returns the first ones after that id. */
export function listEvents(tx: Tx, { since, entity, type, limit }: EventQuery): StoredEvent[] {
  const order = since === undefined ? 'DESC' : 'ASC';
  const rows = tx.all<StoredEvent>(
    `SELECT * FROM events WHERE id > ?1 AND (?2 IS NULL OR entity_id = ?2) AND (?3 IS NULL OR event_type = ?3)
     ORDER BY id ${order} LIMIT ?4`,
    since ?? 0,
    entity ?? null,
    type ?? null,
    limit,
  );
  return since === undefined ? rows.reverse() : rows;
}

/** Deletes events before a time. To do so, raises the mark below which the append-only trigger allows deletion. */
export function deleteEvents(tx: Tx, before: string): number {
  const row = tx.get<{ id: number | null }>('SELECT max(id) AS id FROM events WHERE created_at < ?', before);
  if (row === undefined || row.id === null) return 0;
  setMeta(tx, 'events_kept_from', row.id + 1);
  return tx.run('DELETE FROM events WHERE id <= ?', row.id).changes;
}

/** Returns the number of times that another supervisor took over an attempt. */
export function takeoverCount(tx: Tx, task: string, attempt: number): number {
  const row = tx.get<{ times: number }>(
    `SELECT count(*) AS times FROM events WHERE entity_type = 'task' AND entity_id = ? AND event_type = 'task_resumed'
       AND json_extract(data, '$.token') = ?`,
    task,
    attempt,
  );
  return row?.times ?? 0;
}

function json(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

export type RemovedEvent = readonly SqlValue[];

/**
 * Returns the events that the newest commit removed, if that commit is a restore. A restore reverts every table,
 * including the event log. The caller puts these events back, because they describe what really happened.
 */
export function eventsRemovedByRestore({ database }: Store): readonly RemovedEvent[] {
  const [last] = database.changes(database.revision() - 1, 1);
  if (last?.note?.startsWith('restored to revision') !== true) return [];
  return last.rows
    .filter(({ table, operation }) => table === 'events' && operation === 'delete')
    .map(({ before }) => before.map((value) => value ?? null));
}

export function restoreEvents(tx: Tx, events: readonly RemovedEvent[]): void {
  // The restored outbox holds old notifications, which were sent long ago.
  tx.run('DELETE FROM notifications');
  for (const event of events) {
    tx.run(`INSERT OR IGNORE INTO events VALUES (${event.map(() => '?').join(', ')})`, ...event);
  }
}
