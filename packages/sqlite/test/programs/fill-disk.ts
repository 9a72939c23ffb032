/**
 * Commits while it repeatedly fills its file system. Prints a DiskReport as JSON. Arguments: folder on a small file
 * system, seed.
 */
import { closeSync, fsyncSync, openSync, readdirSync, rmSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { isHoldfastError } from '@holdfast/base';

import { backupDatabase, openDatabase } from '../../src/index.ts';
import type { DiskReport } from '../disk-report.ts';
import { Random } from '../random.ts';

const [folder, seed] = process.argv.slice(2) as [string, string];
const random = new Random(Number(seed));
const filler = join(folder, 'filler');
const ROUNDS = 12;
const KIB = 1_024;

/** Fills the disk except for `leave` bytes. */
function fill(leave: number): void {
  const file = openSync(filler, 'a', 0o600);
  let size = 0;
  for (const chunk of [64 * KIB, 4 * KIB, 512]) {
    try {
      for (;;) size += writeSync(file, Buffer.alloc(chunk, 1));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
  fsyncSync(file);
  closeSync(file);
  truncateSync(filler, Math.max(0, size - leave));
}

const codeOf = (error: unknown): string => (isHoldfastError(error) ? error.code : String(error));

const database = await openDatabase({ path: join(folder, 'test.db'), kind: 'tables' });
await database.write(({ connection }) => connection.exec('CREATE TABLE numbers (n INTEGER PRIMARY KEY, padding BLOB)'));
const report: DiskReport = {
  acknowledged: [],
  failed: [],
  backups: [],
  rounds: [],
  openings: [],
  seen: [],
  problems: [],
  files: [],
};
let next = 0;

async function commit(): Promise<boolean> {
  const n = (next += 1);
  try {
    await database.write(({ connection }) => {
      connection.run('INSERT INTO numbers VALUES (?, randomblob(?))', n, 500 + random.below(8_000));
    });
    report.acknowledged.push(n);
    return true;
  } catch (error) {
    report.failed.push([n, codeOf(error)]);
    return false;
  }
}

for (let round = 0; round < ROUNDS; round++) {
  fill(random.below(96 * KIB));
  const before = report.failed.length;
  // Continues until three commits have failed.
  for (let tries = 0; tries < 60 && report.failed.length < before + 3; tries++) await commit();
  const failed = report.failed.length - before;
  await backupDatabase(database, join(folder, 'backup.db')).catch((error: unknown) =>
    report.backups.push(codeOf(error)),
  );
  rmSync(filler);
  report.rounds.push({ failed, worksAgain: await commit() });
}
report.seen.push(...database.all<{ n: number }>('SELECT n FROM numbers ORDER BY n').map(({ n }) => n));
await database.close();
fill(0);
for (const name of ['test.db', 'new.db']) {
  await openDatabase({ path: join(folder, name), kind: 'tables' }).then(
    (opened) => opened.close(),
    (error: unknown) => report.openings.push(codeOf(error)),
  );
}
rmSync(filler);
rmSync(join(folder, 'new.db'), { force: true });
const again = await openDatabase({ path: join(folder, 'test.db'), kind: 'tables' });
report.problems.push(...again.integrityProblems());
await again.close();
report.files.push(...readdirSync(folder));
process.stdout.write(`report ${JSON.stringify(report)}\n`);
