import { isSecretKey, visiblePart } from '@holdfast/accounts';
import { type StoredValue, toTimestamp } from '@holdfast/base';

import type { StoreCommit } from '../adapters/databases.ts';
import type { DatabaseName } from '../model/database-names.ts';

/** A commit as it leaves the server, without hashes of secrets. */
export interface ShownCommit {
  readonly database: DatabaseName;
  readonly revision: number;
  readonly at: string;
  readonly note: string | null;
  readonly changes: readonly ShownChange[];
  /** Number of changes; `changes` holds the first 100. */
  readonly total: number;
}

interface ShownChange {
  /** The changed key, or the table of the changed row. */
  readonly key: string;
  readonly operation: 'insert' | 'update' | 'delete';
  readonly before: string | null;
  readonly after: string | null;
}

const CHANGES_MAX = 100;
const TEXT_MAX = 4_000;
const HIDDEN = '(hidden)';

export function shownCommit(database: DatabaseName, entry: StoreCommit): ShownCommit {
  const changes = entry.kind === 'changeset' ? rowChanges(entry) : keyChanges(entry);
  return {
    database,
    revision: entry.revision,
    at: toTimestamp(entry.at),
    note: entry.note ?? null,
    changes: changes.slice(0, CHANGES_MAX),
    total: changes.length,
  };
}

export function shownStored(key: string, stored: StoredValue | undefined): string | null {
  if (stored === undefined) return null;
  if (isSecretKey(key)) return HIDDEN;
  return shorten(typeof stored === 'string' ? stored : `0x${Buffer.from(stored).toString('hex')}`);
}

function keyChanges({ keys }: StoreCommit): ShownChange[] {
  return keys.map(({ key, before, after }) => ({
    key: visiblePart(key),
    operation: before === undefined ? 'insert' : after === undefined ? 'delete' : 'update',
    before: shownStored(key, before),
    after: shownStored(key, after),
  }));
}

function rowChanges({ rows }: StoreCommit): ShownChange[] {
  return rows.map(({ table, operation, before, after }) => ({
    key: table,
    operation,
    before: operation === 'insert' ? null : rowText(before),
    after: operation === 'delete' ? null : rowText(after),
  }));
}

function rowText(values: readonly unknown[]): string {
  const plain = values.map((value) => {
    if (typeof value === 'bigint') return value.toString();
    return value instanceof Uint8Array ? `0x${Buffer.from(value).toString('hex')}` : (value ?? null);
  });
  return shorten(JSON.stringify(plain));
}

function shorten(text: string): string {
  return text.length <= TEXT_MAX ? text : `${text.slice(0, TEXT_MAX)}…`;
}
