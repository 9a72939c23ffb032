import { failpoint } from '@holdfast/base';
import {
  type Keyspace,
  type KeyspaceMigrations,
  openKeyspace,
  record,
  type Schema,
  sqliteEngine,
  type StandardSchema,
} from '@holdfast/keyspace';
import { type Database, type MigrationPlan, openDatabase } from '@holdfast/sqlite';

/** The failpoint between two statements of a migration. */
export const STATEMENT = 'crash.migrate.statement';

export const TABLE_STEPS = 6;
export const ROWS = 40;

/** Each step creates and fills a table and increments a count, so that the check notices repeated or half steps. */
export const tablesPlan: MigrationPlan = {
  scope: 'crash',
  steps: Array.from({ length: TABLE_STEPS }, (_, index) => ({
    version: index + 1,
    description: `step ${index + 1}`,
    up(connection) {
      const statements = [
        'CREATE TABLE IF NOT EXISTS steps (id INTEGER PRIMARY KEY, n INTEGER NOT NULL)',
        'INSERT OR IGNORE INTO steps VALUES (1, 0)',
        `CREATE TABLE t${index + 1} (id INTEGER PRIMARY KEY)`,
        ...Array.from({ length: ROWS }, () => `INSERT INTO t${index + 1} DEFAULT VALUES`),
        'UPDATE steps SET n = n + 1',
      ];
      for (const statement of statements) {
        connection.exec(statement);
        failpoint(STATEMENT);
      }
    },
  })),
};

export const openTables = (path: string): Promise<Database> =>
  openDatabase({ path, kind: 'tables', migrations: tablesPlan });

const anyNumber: StandardSchema<number> = {
  '~standard': { version: 1, vendor: 'holdfast-crash', validate: (value) => ({ value: value as number }) },
};

export const values = record('value/{n:d4}', anyNumber);
export const RECORDS = 24;
const PER_STEP = 4;
export const VALUE_STEPS = 3;

/** Each migration increments every record, a few per transaction, so that the check notices a record migrated twice. */
export const valueMigrations: KeyspaceMigrations = {
  versionKey: 'meta/schema_version',
  recordKey: 'mig/{version:d10}',
  steps: Array.from({ length: VALUE_STEPS }, (_, index) => ({
    version: index + 1,
    description: `add one (migration ${index + 1})`,
    async step(transaction, place) {
      const first = Number(place ?? 0);
      for (let n = first; n < first + PER_STEP; n++) {
        await transaction.update(values, { n }, (value) => value + 1);
      }
      const next = first + PER_STEP;
      return next < RECORDS ? String(next) : undefined;
    },
  })),
};

export const valueSchema: Schema = { values };

export async function openValues(path: string, migrations?: KeyspaceMigrations): Promise<Keyspace> {
  const engine = await sqliteEngine({ path });
  return openKeyspace({ engine, schema: valueSchema, ...(migrations === undefined ? {} : { migrations }) });
}
