import type { SqlValue } from '@holdfast/sqlite';

import type { Transaction } from './open.ts';

/** The keys are column names and are not escaped, so they must never come from a request. */
type Row = Readonly<Record<string, SqlValue>>;

/** Runs a statement written as a template: `run(tx)`DELETE FROM files WHERE id = ${id}``. Values are always bound. */
export function run(tx: Transaction) {
  return (text: TemplateStringsArray, ...values: readonly SqlValue[]): number =>
    tx.run(text.join('?'), ...values).changes;
}

export function get<T>(tx: Transaction) {
  return (text: TemplateStringsArray, ...values: readonly SqlValue[]): T | undefined =>
    tx.get<T>(text.join('?'), ...values);
}

export function all<T>(tx: Transaction) {
  return (text: TemplateStringsArray, ...values: readonly SqlValue[]): T[] => tx.all<T>(text.join('?'), ...values);
}

export function insert(tx: Transaction, table: string, row: Row): void {
  tx.run(insertText(table, row), ...Object.values(row));
}

/** Returns the row as it is stored. */
export function insertReturning<T>(tx: Transaction, table: string, row: Row): T {
  return tx.get<T>(`${insertText(table, row)} RETURNING *`, ...Object.values(row)) as T;
}

/** Inserts a row, or updates the one with the same key. An update leaves the columns in `created` unchanged. */
export function upsert(tx: Transaction, table: string, key: string, row: Row, created: Row = {}): void {
  const updates = Object.keys(row).map((column) => `${column} = excluded.${column}`);
  const whole = { ...row, ...created };
  const text = `${insertText(table, whole)} ON CONFLICT (${key}) DO UPDATE SET ${updates.join(', ')}`;
  tx.run(text, ...Object.values(whole));
}

function insertText(table: string, row: Row): string {
  const columns = Object.keys(row);
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
}

export function update(tx: Transaction, table: string, id: number | string, changes: Row): void {
  const columns = Object.keys(changes).map((column) => `${column} = ?`);
  tx.run(`UPDATE ${table} SET ${columns.join(', ')} WHERE id = ?`, ...Object.values(changes), id);
}
