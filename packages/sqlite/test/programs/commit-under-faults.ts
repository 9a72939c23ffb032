/**
 * Repeats the same ten commits, each time on a new database and with the next disk call failing, until a run meets no
 * fault. Prints the acknowledged and failed writes of each run as one line of JSON. Needs the fault shim.
 *
 * Arguments: folder, JSON of FaultPlan.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { isHoldfastError } from '@holdfast/base';

import { type Database, openDatabase } from '../../src/index.ts';
import type { FaultPlan, FaultRun } from '../fault-plan.ts';

const [folder, plan] = process.argv.slice(2) as [string, string];
const { errno, mode, from, to, step } = JSON.parse(plan) as FaultPlan;
const control = process.env['HOLDFAST_FAULT_CONTROL'] as string;
const COMMITS = 10;

const heal = (): void => rmSync(control, { force: true });

function codeOf(error: unknown): string {
  return isHoldfastError(error) ? error.code : `not one of our errors: ${String(error)}`;
}

const open = (path: string): Promise<Database> =>
  openDatabase({
    path,
    kind: 'tables',
    migrations: {
      scope: 'faults',
      steps: [
        {
          version: 1,
          description: 'create',
          up: (connection) => connection.exec('CREATE TABLE numbers (n INTEGER PRIMARY KEY, padding BLOB)'),
        },
      ],
    },
  });

/**
 * Some rounds write three rows at once, which share a commit. Others write many pages, so that checkpoints happen in
 * between.
 */
async function commit(database: Database, run: FaultRun, round: number): Promise<void> {
  const members = round % 3 === 0 ? 3 : 1;
  const bytes = round % 4 === 0 ? 12_000 : 100;
  const writes = Array.from({ length: members }, async (_, member) => {
    const n = round * 10 + member;
    try {
      const { revision } = await database.write(({ connection }) => {
        connection.run('INSERT INTO numbers VALUES (?, randomblob(?))', n, bytes);
      });
      run.acknowledged.push([n, revision]);
    } catch (error) {
      run.failed.push([n, codeOf(error)]);
    }
  });
  await Promise.all(writes);
}

async function play(n: number): Promise<FaultRun> {
  const path = join(folder, `run${n}`, 'test.db');
  const run: FaultRun = { n, path, fired: false, opening: [], acknowledged: [], failed: [], seen: [], problems: [] };
  rmSync(`${control}.fired`, { force: true });
  writeFileSync(control, `${n} writes ${n} ${errno} ${mode} /run${n}`);
  let database: Database;
  try {
    database = await open(path);
  } catch (error) {
    run.opening.push(codeOf(error));
    heal();
    database = await open(path);
  }
  database.reader.exec('PRAGMA wal_autocheckpoint = 8');
  for (let round = 1; round <= COMMITS; round++) await commit(database, run, round);
  run.fired = existsSync(`${control}.fired`);
  heal();
  // The process must be able to continue after the fault.
  await commit(database, run, COMMITS + 1);
  run.seen.push(...database.all<{ n: number }>('SELECT n FROM numbers ORDER BY n').map((row) => row.n));
  run.problems.push(...database.integrityProblems());
  await database.close();
  return run;
}

for (let n = from; n <= to; n += step) {
  const run = await play(n);
  process.stdout.write(`${JSON.stringify(run)}\n`);
  if (!run.fired) break;
}
