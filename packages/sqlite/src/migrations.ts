import { schemaErrors, toTimestamp } from '@holdfast/base';

import type { Connection } from './connection.ts';
import { appendEntry } from './journal/journal.ts';
import { refusePromise } from './synchronous.ts';

/**
 * Numbered schema changes. Each runs in one transaction that also records it.
 *
 * The write lock excludes other processes: a second process finds the record and does nothing. A killed migration
 * leaves no trace and runs at the next start. A database from a newer version is refused before anything is changed.
 */

export interface Migration {
  readonly version: number;
  readonly description: string;
  up(connection: Connection): void;
}

export interface MigrationPlan {
  /** Name of the schema; one file may hold several schemas. */
  readonly scope: string;
  readonly steps: readonly Migration[];
}

function appliedVersion(connection: Connection, scope: string): number {
  const row = connection.get<{ version: number | null }>(
    'SELECT max(version) AS version FROM holdfast_migrations WHERE scope = ?',
    scope,
  );
  return row?.version ?? 0;
}

export function refuseNewer(connection: Connection, plan: MigrationPlan): void {
  // Another program, which uses only SQLite's own version number, may have raised that number.
  const marked = connection.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
  const applied = Math.max(appliedVersion(connection, plan.scope), marked);
  const known = plan.steps.at(-1)?.version ?? 0;
  if (applied <= known) return;
  throw schemaErrors.SCHEMA_NEWER(
    `${connection.path} has version ${applied} of the ${plan.scope} schema; this program supports up to ${known}`,
  );
}

export function pendingMigrations(connection: Connection, plan: MigrationPlan): readonly Migration[] {
  const applied = appliedVersion(connection, plan.scope);
  return plan.steps.filter(({ version }) => version > applied);
}

/** Applies the next pending migration inside a write transaction. Returns whether there may be another migration. */
export function applyNext(connection: Connection, plan: MigrationPlan, now: () => number): boolean {
  refuseNewer(connection, plan);
  const next = pendingMigrations(connection, plan)[0];
  if (next === undefined) return false;
  const started = performance.now();
  try {
    refusePromise(next.up(connection));
    refuseUnrecordable(connection);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw schemaErrors.MIGRATION_FAILED(
      `Migration ${next.version} of ${plan.scope} (${next.description}) failed: ${reason}`,
      { cause: error },
    );
  }
  const at = now();
  connection.run(
    'INSERT INTO holdfast_migrations (scope, version, description, applied_at, duration_ms) VALUES (?, ?, ?, ?, ?)',
    plan.scope,
    next.version,
    next.description,
    toTimestamp(at),
    Math.round(performance.now() - started),
  );
  const note = `migration ${next.version} of ${plan.scope}: ${next.description}`;
  appendEntry(connection, { at, kind: 'schema', changes: '', note });
  return true;
}

/**
 * Refuses tables without a primary key: SQLite's sessions record changes by primary key, so their changes would be
 * missing from the journal.
 */
function refuseUnrecordable(connection: Connection): void {
  const row = connection.get<{ name: string }>(
    `SELECT name FROM pragma_table_list
     WHERE schema = 'main' AND type = 'table' AND name NOT GLOB 'sqlite_*'
       AND NOT EXISTS (SELECT 1 FROM pragma_table_info(pragma_table_list.name) WHERE pk > 0)`,
  );
  if (row !== undefined) throw new TypeError(`the table ${row.name} has no primary key`);
}

export function checkPlan(plan: MigrationPlan): void {
  plan.steps.forEach(({ version }, index) => {
    if (version !== index + 1) throw new TypeError(`Migrations of ${plan.scope} must be numbered 1, 2, 3, …`);
  });
}
