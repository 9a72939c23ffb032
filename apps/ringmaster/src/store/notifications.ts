import { insertRow, type Tx, updateRow } from './open.ts';

/** The outbox: notifications that still have to be sent. Delivered notifications are deleted. */
export interface Notification {
  readonly event_id: number;
  readonly destination: Destination;
  /** JSON for the receiver. */
  readonly body: string;
  readonly created_at: string;
  readonly attempts: number;
  readonly next_attempt_at: string;
  readonly last_error: string | null;
  /** Set when ringmaster stops trying to send the notification. */
  readonly gave_up_at: string | null;
}

export type Destination = 'command' | 'webhook';

export function insertNotification(
  tx: Tx,
  row: Pick<Notification, 'event_id' | 'destination' | 'body' | 'created_at' | 'next_attempt_at'>,
): void {
  insertRow(tx, 'notifications', row);
}

/** Returns the oldest notification that is due. */
export function dueNotification(tx: Tx, destination: Destination, now: string): Notification | undefined {
  return tx.get<Notification>(
    `SELECT * FROM notifications WHERE destination = ? AND gave_up_at IS NULL AND next_attempt_at <= ?
     ORDER BY event_id LIMIT 1`,
    destination,
    now,
  );
}

type Key = Pick<Notification, 'event_id' | 'destination'>;

export function updateNotification(tx: Tx, { event_id, destination }: Key, changes: Partial<Notification>): void {
  updateRow(tx, 'notifications', { event_id, destination }, changes);
}

/**
 * Deletes a delivered notification. Its destination works again, so abandoned notifications to the same destination are
 * retried.
 */
export function deliverNotification(tx: Tx, { event_id, destination }: Key, now: string): void {
  tx.run('DELETE FROM notifications WHERE event_id = ? AND destination = ?', event_id, destination);
  tx.run(
    `UPDATE notifications SET gave_up_at = NULL, next_attempt_at = ?2
     WHERE destination = ?1 AND gave_up_at IS NOT NULL`,
    destination,
    now,
  );
}

/** Counts the notifications to destinations that are no longer in ringmaster.toml. */
export function countObsolete(tx: Tx, destinations: readonly Destination[]): number {
  const sql = `SELECT count(*) AS n FROM notifications WHERE destination NOT IN (${quoted(destinations)})`;
  return tx.get<{ n: number }>(sql)?.n ?? 0;
}

export function deleteObsolete(tx: Tx, destinations: readonly Destination[]): void {
  tx.run(`DELETE FROM notifications WHERE destination NOT IN (${quoted(destinations)})`);
}

function quoted(destinations: readonly Destination[]): string {
  return destinations.map((name) => `'${name}'`).join(', ');
}

/** Notifications that ringmaster stopped trying to deliver, oldest first. */
export function undeliverable(tx: Tx): Notification[] {
  return tx.all<Notification>(
    'SELECT * FROM notifications WHERE gave_up_at IS NOT NULL ORDER BY event_id, destination',
  );
}
