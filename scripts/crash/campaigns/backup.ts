import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { isHoldfastError } from '@holdfast/base';
import { backupDatabase, openDatabase, verifyBackup } from '@holdfast/sqlite';

import { type Campaign, type Context, type Counts, noCounts, violate } from '../lib/campaign.ts';
import { numbersPlan, readNumbers } from '../lib/numbers.ts';
import { anyDeath, startAndKill } from '../lib/victim.ts';

/**
 * Kills a process that makes a backup while it writes.
 *
 * - lost: an acknowledged number is not in the database, or a completed backup is invalid
 * - phantom: a backup verifies, but is not the state of one commit
 * - partial: an interrupted backup is neither missing nor rejected, or the next backup fails
 */
export const backup: Campaign = {
  name: 'backup',
  promise:
    'an interrupted backup is refused, a finished one is the state at one commit, and the database never suffers',
  cycles: 300,
  failpoints: ['backup.copied', 'backup.named', 'backup.described'],
  async run(context) {
    const counts = noCounts();
    for (let cycle = 0; cycle < context.cycles && !context.isTimeUp(); cycle++) {
      counts.cycles += 1;
      await runCycle(context, counts, String(cycle));
    }
    counts.acknowledged += numbersTold(join(context.folder, 'told')).length;
    return counts;
  },
};

const WITHIN_MS = 150;
const REFUSED = new Set(['STORE_NOT_FOUND', 'BACKUP_INVALID']);

async function runCycle({ folder, random }: Context, counts: Counts, cycle: string): Promise<void> {
  const database = join(folder, 'test.db');
  const target = join(folder, `${cycle}.backup`);
  const toldFile = join(folder, 'told');
  const victim = await startAndKill(
    'backup-victim',
    [database, target, toldFile],
    anyDeath(random, backup, 1, WITHIN_MS),
  );
  if (victim.wasKilled) counts.kills += 1;
  else if (victim.failure !== undefined) counts.violations.push(`cycle ${cycle}: ${victim.failure}`);
  await checkDatabase(database, toldFile, counts);
  await checkBackup(target, victim.lines.includes('done'), counts);
  await makeAnother(database, `${target}.again`, counts);
}

async function checkDatabase(path: string, toldFile: string, counts: Counts): Promise<void> {
  const last = Math.max(0, numbersTold(toldFile).at(-1) ?? 0);
  const found = await numbersIn(path);
  if (typeof found === 'string') violate(counts, 'partial', found);
  else if (found < last) violate(counts, 'lost', `${last} was acknowledged, but the last is ${found}`);
}

/** A killed process can leave half a line. The number in it is too small, which causes no false violation. */
function numbersTold(file: string): number[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').map(Number) : [];
}

async function checkBackup(target: string, isDone: boolean, counts: Counts): Promise<void> {
  try {
    await verifyBackup(target);
  } catch (error) {
    const code = isHoldfastError(error) ? error.code : String(error);
    if (isDone) violate(counts, 'lost', `a finished backup is ${code}`);
    else if (!REFUSED.has(code)) violate(counts, 'partial', `an interrupted backup is ${code}`);
    return;
  }
  counts.acknowledged += 1;
  const found = await numbersIn(target);
  if (typeof found === 'string') violate(counts, 'phantom', `a backup is not the state at one commit: ${found}`);
}

async function makeAnother(path: string, target: string, counts: Counts): Promise<void> {
  const database = await openDatabase({ path, kind: 'tables', migrations: numbersPlan });
  try {
    await backupDatabase(database, target);
    await verifyBackup(target);
  } catch (error) {
    violate(counts, 'partial', `the next backup failed: ${String(error)}`);
  } finally {
    await database.close({ processIsEnding: true });
  }
}

async function numbersIn(path: string): Promise<number | string> {
  const database = await openDatabase({ path, kind: 'tables', migrations: numbersPlan });
  try {
    return readNumbers(database);
  } finally {
    await database.close({ processIsEnding: true });
  }
}
