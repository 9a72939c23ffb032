import type { JournalEntry, RowChange } from '@holdfast/sqlite';

import { ringmasterErrors } from '../model/errors.ts';
import type { SqlValue, Store, Tx } from './open.ts';

/**
 * Tables that an undo ignores, because other commits write them all the time or because their changes are permanent.
 */
const leftAlone: ReadonlySet<string> = new Set([
  'events',
  'notifications',
  'ringmaster_meta',
  'metrics_runs',
  'child_counters',
]);
/** Tables about workers' attempts. A change to one of them cannot be undone. */
const workersOwn: ReadonlySet<string> = new Set(['attempts', 'attempt_runs', 'iterations']);
/** Computed columns. An undo ignores changes to them. */
const drifting: ReadonlySet<string> = new Set([
  'pagerank_score',
  'betweenness_score',
  'on_critical_path',
  'combined_priority',
  'own_priority',
  'inherited_from',
  'metrics_version',
]);
const NOT_UNDOABLE =
  /^(undo|run|notify|prompt|rank|files of projects|reap|heartbeat|claim|report|restored|cleanup|backup|workers of|maintenance)/;
const UNDO_NOTE = /^undo of (\d+)/;
const PAGE = 200;

export interface UndoTarget {
  readonly revision: number;
  readonly note: string;
  readonly rows: readonly RowChange[];
}

/** Returns the newest change by a person that is not undone yet. */
export function lastUndoable(store: Store): UndoTarget | undefined {
  const undone = new Set<number>();
  const oldest = store.database.oldestRevision();
  for (let end = store.database.revision(); end >= oldest;) {
    const start = Math.max(oldest - 1, end - PAGE);
    const entries = store.database.changes(start, end - start).toReversed();
    for (const entry of entries) {
      const target = undoable(entry, undone);
      if (target !== undefined) return target;
    }
    end = start;
  }
  return undefined;
}

function undoable({ revision, kind, note, rows }: JournalEntry, undone: Set<number>): UndoTarget | undefined {
  const already = UNDO_NOTE.exec(note ?? '')?.[1];
  if (already !== undefined) undone.add(Number(already));
  if (kind !== 'changeset' || note === undefined || NOT_UNDOABLE.test(note) || undone.has(revision)) return undefined;
  return { revision, note, rows: rows.filter(({ table }) => !leftAlone.has(table)) };
}

/** Reverts a commit row by row; throws if any of the rows has changed since. */
export function undoRows(tx: Tx, { rows, note }: UndoTarget): void {
  tx.exec('PRAGMA defer_foreign_keys = ON');
  for (const row of rows.toReversed()) {
    if (workersOwn.has(row.table)) throw overtaken(note, 'a worker has started on it');
    undoRow(tx, row, note);
  }
}

function undoRow(tx: Tx, row: RowChange, note: string): void {
  const columns = tx.all<{ name: string }>(`PRAGMA table_info("${row.table}")`).map(({ name }) => name);
  const identity = row.operation === 'insert' ? row.after : row.before;
  const keys = columns.flatMap((name, index) =>
    row.isKeyColumn[index] === true ? [{ name, value: identity[index] }] : [],
  );
  const where = keys.map(({ name }) => `"${name}" IS ?`).join(' AND ');
  const key = keys.map(({ value }) => value ?? null);
  const current = tx.get<Readonly<Record<string, SqlValue>>>(`SELECT * FROM "${row.table}" WHERE ${where}`, ...key);
  const isAsLeft = columns.every((name, index) => {
    const left = row.after[index];
    return left === undefined || drifting.has(name) || same(current?.[name], left);
  });
  if (row.operation === 'delete' ? current !== undefined : current === undefined || !isAsLeft) {
    throw overtaken(note, `${row.table} ${key.join(' ')} has changed since`);
  }
  if (row.operation === 'insert') tx.run(`DELETE FROM "${row.table}" WHERE ${where}`, ...key);
  else if (row.operation === 'delete') {
    const values = row.before.map((value) => value ?? null);
    const names = columns.map((name) => `"${name}"`).join(', ');
    tx.run(`INSERT INTO "${row.table}" (${names}) VALUES (${values.map(() => '?').join(', ')})`, ...values);
  } else {
    const changed = columns.flatMap((name, index) => {
      const value = row.before[index];
      return value === undefined || row.isKeyColumn[index] === true || drifting.has(name) ? [] : [{ name, value }];
    });
    if (changed.length === 0) return;
    const assignments = changed.map(({ name }) => `"${name}" = ?`).join(', ');
    tx.run(`UPDATE "${row.table}" SET ${assignments} WHERE ${where}`, ...changed.map(({ value }) => value), ...key);
  }
}

function same(left: SqlValue | undefined, right: SqlValue): boolean {
  if (typeof left === 'bigint' || typeof right === 'bigint') return String(left) === String(right);
  return left === right;
}

function overtaken(note: string, why: string): Error {
  return ringmasterErrors.UNDO_OVERTAKEN(`"${note}" cannot be undone: ${why}`);
}
