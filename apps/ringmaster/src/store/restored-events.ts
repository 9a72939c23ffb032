import type { SqlValue } from './sql.ts';
import type { Store, Tx } from './open.ts';

export type LostEvent = readonly SqlValue[];

/**
 * A restore takes back rows of every table, and so what the log said since. But what happened did happen: those rows
 * are in the journal as part of the restore, from where they are put back. Empty unless the newest commit is a restore.
 */
export function eventsTakenBack({ database }: Store): readonly LostEvent[] {
  const [last] = database.changes(database.revision() - 1, 1);
  if (last?.note?.startsWith('restored to revision') !== true) return [];
  return last.rows
    .filter(({ table, operation }) => table === 'events' && operation === 'delete')
    .map(({ before }) => before.map((value) => value ?? null));
}

export function putBackEvents(tx: Tx, events: readonly LostEvent[]): void {
  for (const event of events) {
    tx.run(`INSERT OR IGNORE INTO events VALUES (${event.map(() => '?').join(', ')})`, ...event);
  }
}
