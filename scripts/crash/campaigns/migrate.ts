import { join } from 'node:path';

import { openDatabase } from '@holdfast/sqlite';

import { type Campaign, type Context, type Counts, noCounts, violate } from '../lib/campaign.ts';
import {
  openTables,
  openValues,
  RECORDS,
  ROWS,
  STATEMENT,
  TABLE_STEPS,
  valueMigrations,
  values,
  VALUE_STEPS,
} from '../lib/migrating.ts';
import { anyDeath, startAndKill } from '../lib/victim.ts';

/**
 * Two processes migrate a database at the same time and are killed repeatedly until one finishes. Cycles alternate
 * between tables and keyspaces.
 *
 * - lost: a migration that was reported as done is missing
 * - phantom: something was done twice
 * - partial: effects and record of a migration disagree
 */
export const migrate: Campaign = {
  name: 'migrate',
  promise: 'a migration that is killed anywhere is applied completely or not at all, continues later, and happens once',
  cycles: 200,
  failpoints: [STATEMENT, 'keyspace.migrated', 'sqlite.commit.before', 'sqlite.commit.after'],
  async run(context) {
    const counts = noCounts();
    for (let cycle = 0; cycle < context.cycles && !context.isTimeUp(); cycle++) {
      counts.cycles += 1;
      if (cycle % 2 === 0) await migrateTables(context, join(context.folder, `${cycle}.db`), counts);
      else await migrateValues(context, join(context.folder, `${cycle}.db`), counts);
    }
    return counts;
  },
};

const ATTEMPTS = 4;
const WITHIN_MS = 25;
/**
 * How often the failpoints are reached: once per statement of a table migration, once per transaction of a value
 * migration.
 */
const PASSES_OF_TABLES = TABLE_STEPS * (ROWS + 4);
const PASSES_OF_VALUES = 20;

/** Returns whether a process finished. */
async function attempt(context: Context, kind: string, path: string, passes: number, counts: Counts): Promise<boolean> {
  const deaths = [1, 2].map(() => anyDeath(context.random, migrate, passes, WITHIN_MS));
  const victims = await Promise.all(deaths.map((death) => startAndKill('migrate-victim', [kind, path], death)));
  for (const victim of victims) {
    if (victim.wasKilled) counts.kills += 1;
    else if (victim.failure !== undefined) counts.violations.push(`cycle ${counts.cycles}: ${victim.failure}`);
  }
  return victims.some((victim) => victim.lines.includes('done'));
}

async function migrateTables(context: Context, path: string, counts: Counts): Promise<void> {
  for (let n = 0; n < ATTEMPTS; n++) {
    const isDone = await attempt(context, 'tables', path, PASSES_OF_TABLES, counts);
    const applied = await checkTables(path, counts);
    if (isDone && applied !== TABLE_STEPS) violate(counts, 'lost', `done, but only ${applied} steps are there`);
    if (isDone) break;
  }
  await (await openTables(path)).close({ processIsEnding: true });
  const applied = await checkTables(path, counts);
  counts.acknowledged += applied;
  if (applied !== TABLE_STEPS) violate(counts, 'lost', `${applied} of ${TABLE_STEPS} steps at the end`);
}

/** Compares the number of recorded migrations with the data, and returns it. */
async function checkTables(path: string, counts: Counts): Promise<number> {
  const database = await openDatabase({ path, kind: 'tables' });
  try {
    const versions = database.all<{ version: number }>('SELECT version FROM holdfast_migrations ORDER BY version');
    const applied = versions.length;
    if (versions.some(({ version }, index) => version !== index + 1)) violate(counts, 'partial', 'a step was left out');
    const tables = database
      .all<{ name: string }>(
        `SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 't[0-9]*' ORDER BY name`,
      )
      .map(({ name }) => name);
    const expected = Array.from({ length: applied }, (_, index) => `t${index + 1}`);
    if (tables.join() !== expected.join()) violate(counts, 'partial', `${applied} recorded, tables ${tables.join()}`);
    for (const table of tables) {
      const { n } = database.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)!;
      if (n !== ROWS) violate(counts, 'partial', `${table} has ${n} rows`);
    }
    const counted = applied === 0 ? 0 : database.get<{ n: number }>('SELECT n FROM steps')!.n;
    if (counted !== applied) violate(counts, 'phantom', `${applied} recorded, but ${counted} were made`);
    if (database.revision() !== applied)
      violate(counts, 'partial', `${applied} recorded, revision ${database.revision()}`);
    return applied;
  } finally {
    await database.close({ processIsEnding: true });
  }
}

async function migrateValues(context: Context, path: string, counts: Counts): Promise<void> {
  const fresh = await openValues(path);
  await fresh.transact(async (transaction) => {
    for (let n = 0; n < RECORDS; n++) await transaction.put(values, { n }, 0);
  });
  await fresh.close({ processIsEnding: true });
  for (let n = 0; n < ATTEMPTS; n++) {
    const isDone = await attempt(context, 'values', path, PASSES_OF_VALUES, counts);
    const version = await checkValues(path, counts);
    if (isDone && version !== VALUE_STEPS) violate(counts, 'lost', `done, but the version is ${version}`);
    if (isDone) break;
  }
  await (await openValues(path, valueMigrations)).close({ processIsEnding: true });
  const version = await checkValues(path, counts);
  counts.acknowledged += version;
  if (version !== VALUE_STEPS) violate(counts, 'lost', `version ${version} of ${VALUE_STEPS} at the end`);
}

/** Compares every record with the version and the stored position, and returns the version. */
async function checkValues(path: string, counts: Counts): Promise<number> {
  const keyspace = await openValues(path);
  try {
    const version = Number((await keyspace.engine.get('meta/schema_version')) ?? 0);
    const progress = await keyspace.engine.get('meta/schema_version_migrating');
    const reached = progress === undefined ? 0 : Number((JSON.parse(String(progress)) as { place: string }).place);
    const found = await keyspace.list(values, {});
    for (let n = 0; n < RECORDS; n++) {
      const expected = version + (n < reached ? 1 : 0);
      const value = found[n] ?? Number.NaN;
      if (value > expected) violate(counts, 'phantom', `record ${n} is ${value} instead of ${expected}`);
      else if (value !== expected) violate(counts, 'partial', `record ${n} is ${value} instead of ${expected}`);
    }
    for (let step = 1; step <= VALUE_STEPS; step++) {
      const isRecorded = (await keyspace.engine.get(`mig/${String(step).padStart(10, '0')}`)) !== undefined;
      if (isRecorded !== step <= version) violate(counts, 'partial', `version ${version}, but record of ${step}`);
    }
    return version;
  } finally {
    await keyspace.close({ processIsEnding: true });
  }
}
