import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { backupDatabase, openDatabase, replaceFromBackup } from '@holdfast/sqlite';

import { type Campaign, type Context, type Counts, noCounts, violate } from '../lib/campaign.ts';
import { addNumber, numbersPlan, readNumbers } from '../lib/numbers.ts';
import { anyDeath, startAndKill } from '../lib/victim.ts';

/**
 * Kills a process that replaces a database with a backup. In half of the cycles the database has the write-ahead log of
 * a killed writer. The result must be the old state or that of the backup.
 *
 * - lost: the old state is neither in place nor kept, or a replacement reported as done was not made
 * - phantom: a revision is used twice
 * - partial: the state is neither the old one nor the backup's, or repeating the replacement fails
 */
export const replace: Campaign = {
  name: 'replace',
  promise:
    'a replacement that is interrupted leaves the old database or the new one, never a mixture, and can be repeated',
  cycles: 300,
  failpoints: ['replace.copied', 'replace.kept', 'replace.renamed'],
  async run(context) {
    const counts = noCounts();
    const scene = await prepare(context.folder);
    for (let cycle = 0; cycle < context.cycles && !context.isTimeUp(); cycle++) {
      counts.cycles += 1;
      await runCycle(context, scene, counts);
    }
    return counts;
  },
};

const IN_BACKUP = 30;
const IN_OLD = 60;
const WITHIN_MS = 300;

interface Scene {
  readonly backup: string;
  /** A database that was closed properly. */
  readonly closed: string;
  /** A database as a killed writer leaves it, with a write-ahead log. */
  readonly crashed: string;
  readonly revision: number;
}

async function prepare(folder: string): Promise<Scene> {
  const closed = join(folder, 'closed.db');
  const crashed = join(folder, 'crashed.db');
  const backup = join(folder, 'backup.db');
  const database = await openDatabase({ path: closed, kind: 'tables', migrations: numbersPlan });
  for (let n = 0; n < IN_BACKUP; n++) await addNumber(database);
  await backupDatabase(database, backup);
  database.reader.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  while ((await addNumber(database)) < IN_OLD);
  for (const suffix of ['', '-wal']) copyFileSync(closed + suffix, crashed + suffix);
  const revision = database.revision();
  await database.close();
  return { backup, closed, crashed, revision };
}

async function runCycle({ folder, random }: Context, scene: Scene, counts: Counts): Promise<void> {
  const place = join(folder, 'place');
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place);
  const path = join(place, 'test.db');
  if (random.next() < 0.5) copyFileSync(scene.closed, path);
  else for (const suffix of ['', '-wal']) copyFileSync(scene.crashed + suffix, path + suffix);
  const victim = await startAndKill('replace-victim', [path, scene.backup], anyDeath(random, replace, 1, WITHIN_MS));
  if (victim.wasKilled) counts.kills += 1;
  else if (victim.failure !== undefined) counts.violations.push(`cycle ${counts.cycles}: ${victim.failure}`);
  await checkPlace(path, place, scene, victim.lines.includes('done'), counts);
  await repeat(path, scene, counts);
}

async function checkPlace(path: string, place: string, scene: Scene, isDone: boolean, counts: Counts): Promise<void> {
  const { numbers, revision } = await look(path);
  counts.acknowledged += 1;
  if (numbers !== IN_OLD && numbers !== IN_BACKUP) {
    violate(counts, 'partial', `neither the old state nor the new: ${numbers}`);
    return;
  }
  if (isDone && numbers !== IN_BACKUP) violate(counts, 'lost', 'the replacement was reported as done, but not made');
  if (numbers === IN_BACKUP && revision <= scene.revision) violate(counts, 'phantom', `revision ${revision} again`);
  if (numbers === IN_OLD) return;
  const kept = readdirSync(place).filter((name) => name.includes('.replaced-') && !/-(?:wal|shm)$/u.test(name));
  const states = await Promise.all(kept.map(async (name) => (await look(join(place, name))).numbers));
  if (!states.includes(IN_OLD)) violate(counts, 'lost', `the old state was not kept: ${states.join(', ')}`);
}

async function repeat(path: string, { backup }: Scene, counts: Counts): Promise<void> {
  try {
    const { revision } = await look(path);
    await replaceFromBackup(path, backup);
    const after = await look(path);
    if (after.numbers !== IN_BACKUP) violate(counts, 'partial', `after repeating: ${after.numbers}`);
    if (after.revision <= revision) violate(counts, 'phantom', `revision ${after.revision} again`);
    if (existsSync(`${path}.restore-unfinished`)) violate(counts, 'partial', 'something was left over');
  } catch (error) {
    violate(counts, 'partial', `repeating failed: ${String(error)}`);
  }
}

async function look(path: string): Promise<{ numbers: number | string; revision: number }> {
  const database = await openDatabase({ path, kind: 'tables', migrations: numbersPlan });
  try {
    return { numbers: readNumbers(database), revision: database.revision() };
  } finally {
    await database.close();
  }
}
