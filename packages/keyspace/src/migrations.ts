import { failpoint, HoldfastError, parseStoredObject, schemaErrors, systemClock, toTimestamp } from '@holdfast/base';

import { Template } from './keys/template.ts';
import type { Transaction } from './transaction.ts';
import type { Transactor } from './transactor.ts';

/**
 * Numbered data changes, each applied exactly once.
 *
 * Processes need no lock, because every step is a transaction that reads the version and the position. If two processes
 * run the same step, one commits; the other retries and finds the step done. A long migration stores its position and
 * resumes there after a kill. The application chooses the keys for version and records.
 */
export interface KeyspaceMigrations {
  /**
   * Key of the stored version, for example `meta/schema_version`. Its value is a string of digits. Add this key and
   * `recordKey` to the schema, so that `verify` knows them.
   */
  readonly versionKey: string;
  /** Key template for the record of each applied migration, for example `mig:{version:d10}`. */
  readonly recordKey?: string;
  readonly steps: readonly KeyspaceMigration[];
  readonly now?: () => number;
}

export interface KeyspaceMigration {
  readonly version: number;
  readonly description: string;
  /**
   * Runs as one transaction. `place` is the result of the previous step; undefined for the first step. Returning
   * undefined finishes the migration. A step may run again, so it must have no side effects.
   */
  step(transaction: Transaction, place: string | undefined): Promise<string | undefined>;
}

interface Progress {
  readonly version: number;
  readonly place: string;
  readonly started_at: number;
}

export async function migrate(keyspace: Transactor, migrations: KeyspaceMigrations): Promise<void> {
  migrations.steps.forEach(({ version }, index) => {
    if (version !== index + 1) throw new TypeError('Migrations must be numbered 1, 2, 3, …');
  });
  const stored = await keyspace.engine.get(migrations.versionKey);
  if (versionIn(stored, migrations) === migrations.steps.length) return;
  while (await keyspace.transact((transaction) => advance(transaction, migrations))) failpoint('keyspace.migrated');
}

/** Runs one step. Returns whether there may be another step. */
async function advance(transaction: Transaction, migrations: KeyspaceMigrations): Promise<boolean> {
  const now = migrations.now ?? systemClock;
  const current = versionIn(await transaction.readKey(migrations.versionKey), migrations);
  const migration = migrations.steps[current];
  if (migration === undefined) return false;
  const progress = await readProgress(transaction, migrations, migration.version);
  const startedAt = progress?.started_at ?? now();
  const place = await runStep(migration, transaction, progress?.place);
  if (place !== undefined) {
    const next: Progress = { version: migration.version, place, started_at: startedAt };
    transaction.writeKey(progressKey(migrations), JSON.stringify(next));
    return true;
  }
  transaction.writeKey(progressKey(migrations), undefined);
  transaction.writeKey(migrations.versionKey, String(migration.version));
  if (migrations.recordKey !== undefined) {
    const record = {
      id: migration.version,
      applied_at: toTimestamp(now()),
      description: migration.description,
      duration_ms: Math.max(0, now() - startedAt),
    };
    const key = new Template(migrations.recordKey).encode({ version: migration.version });
    transaction.writeKey(key, JSON.stringify(record));
  }
  return true;
}

async function runStep(
  migration: KeyspaceMigration,
  transaction: Transaction,
  place: string | undefined,
): Promise<string | undefined> {
  try {
    return await migration.step(transaction, place);
  } catch (error) {
    const reason = error instanceof HoldfastError || error instanceof Error ? error.message : String(error);
    throw schemaErrors.MIGRATION_FAILED(`Migration ${migration.version} (${migration.description}) failed: ${reason}`, {
      cause: error,
    });
  }
}

function versionIn(stored: unknown, { versionKey, steps }: KeyspaceMigrations): number {
  if (stored === undefined) return 0;
  const version = typeof stored === 'string' && /^[0-9]{1,9}$/.test(stored) ? Number(stored) : Number.NaN;
  if (version <= steps.length) return version;
  if (Number.isNaN(version)) throw schemaErrors.VALUE_UNREADABLE(`${versionKey} does not contain a version`);
  throw schemaErrors.SCHEMA_NEWER(
    `${versionKey} is ${JSON.stringify(stored)}; this program supports up to version ${steps.length}`,
  );
}

async function readProgress(
  transaction: Transaction,
  migrations: KeyspaceMigrations,
  version: number,
): Promise<Progress | undefined> {
  const stored = await transaction.readKey(progressKey(migrations));
  if (typeof stored !== 'string') return undefined;
  const progress = parseStoredObject(stored) as Progress;
  return progress.version === version ? progress : undefined;
}

function progressKey({ versionKey }: KeyspaceMigrations): string {
  return `${versionKey}_migrating`;
}
