import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { startProgram } from '../test/child.ts';
import type { DiskReport } from '../test/disk-report.ts';
import { EIO, ENOSPC, type FaultPlan, type FaultRun } from '../test/fault-plan.ts';
import { faultShim } from '../../base/test/fault-shim.ts';
import { openTemporary, temporaryFolder, temporaryFolderInMemory } from '../test/temporary.ts';
import { openDatabase } from './database.ts';

const EMFILE = 24;
const CALLS_MAX = 400;
/** Number of the commit that is made after the disk has recovered. */
const AFTER_HEALING = 110;

async function runUnderFaults(folder: string, plan: Pick<FaultPlan, 'errno' | 'mode'>): Promise<FaultRun[]> {
  const whole: FaultPlan = { ...plan, from: 1, to: CALLS_MAX, step: 1 };
  const child = startProgram('commit-under-faults', [folder, JSON.stringify(whole)], {
    environment: { LD_PRELOAD: faultShim(), HOLDFAST_FAULT_CONTROL: join(folder, 'control') },
    limitMs: 100_000,
  });
  const { code, signal, lines, errors } = await child.ended;
  expect({ code, signal }, `after ${lines.length} runs: ${errors}`).toEqual({ code: 0, signal: null });
  return lines.map((line) => JSON.parse(line) as FaultRun);
}

/** Reads the file without faults; returns each number with its revision. */
async function committedIn(path: string): Promise<Map<number, number>> {
  const database = await openDatabase({ path, kind: 'tables', create: false });
  try {
    expect(database.integrityProblems()).toEqual([]);
    const entries = database.changes(0).flatMap(({ rows, revision }) => rows.map((row) => [row.after[0], revision]));
    const rows = database.all<{ n: number }>('SELECT n FROM numbers ORDER BY n').map(({ n }) => n);
    expect(rows).toEqual(entries.map(([n]) => n).sort((left, right) => Number(left) - Number(right)));
    return new Map(entries as [number, number][]);
  } finally {
    // Runs hundreds of times; collecting garbage each time would take minutes.
    await database.close({ processIsEnding: true });
  }
}

test.each([
  { name: 'EIO once', errno: EIO, mode: 'once' as const, codes: ['STORE_IO'] },
  { name: 'EIO from then on', errno: EIO, mode: 'on' as const, codes: ['STORE_IO'] },
  { name: 'ENOSPC once', errno: ENOSPC, mode: 'once' as const, codes: ['STORE_FULL', 'STORE_IO'] },
  { name: 'ENOSPC from then on', errno: ENOSPC, mode: 'on' as const, codes: ['STORE_FULL', 'STORE_IO'] },
])(
  'whichever call to the disk fails with $name: nothing acknowledged is lost, and the store works again',
  async (plan) => {
    const runs = await runUnderFaults(temporaryFolderInMemory(), plan);
    const last = runs.at(-1)!;
    expect(last.fired, `fewer than ${CALLS_MAX} calls`).toBe(false);
    expect(last.failed).toEqual([]);
    expect(runs.length).toBeGreaterThan(50);
    const known = new Set(plan.codes);
    for (const run of runs) {
      const what = `the failing call was number ${run.n}`;
      const acknowledged = new Map(run.acknowledged);
      expect(
        [...run.opening, ...run.failed.map(([, code]) => code)].filter((code) => !known.has(code)),
        what,
      ).toEqual([]);
      expect(acknowledged.has(AFTER_HEALING), what).toBe(true);
      expect(run.problems, what).toEqual([]);
      // This process and later ones see exactly the acknowledged commits.
      expect(run.seen, what).toEqual([...acknowledged.keys()].sort((left, right) => left - right));
      expect(await committedIn(run.path), what).toEqual(acknowledged);
      if (plan.mode === 'once') expect(run.failed.length, what).toBeLessThanOrEqual(3);
    }
    // All members of a commit fail together.
    const groups = runs.map(({ failed }) => failed.filter(([n]) => Math.floor(n / 10) === 6));
    expect(groups.some((group) => group.length === 3)).toBe(true);
    expect(runs.some(({ opening }) => opening.length > 0)).toBe(true);
  },
);

test('a read that fails says so, and the next one works', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'test.db');
  const database = await openDatabase({ path, kind: 'tables' });
  await database.write(({ connection }) => {
    connection.exec('CREATE TABLE numbers (n INTEGER PRIMARY KEY, padding BLOB)');
    for (let n = 0; n < 20; n++) connection.run('INSERT INTO numbers VALUES (?, zeroblob(3000))', n);
  });
  await database.close();
  const child = startProgram('read-under-faults', [path], {
    environment: { LD_PRELOAD: faultShim(), HOLDFAST_FAULT_CONTROL: join(folder, 'control') },
  });
  const { code, lines, errors } = await child.ended;
  expect(code, errors).toBe(0);
  expect(lines.length).toBeGreaterThan(10);
  // SQLite reports an unreadable page as corruption.
  expect(lines).toEqual([...lines.slice(1).map(() => 'STORE_CORRUPT then 60000'), 'read then 60000']);
});

test('where files cannot be watched, the poll alone tells of changes', async () => {
  const database = await openTemporary();
  await database.write(({ connection }) => connection.exec('CREATE TABLE t (id INTEGER PRIMARY KEY)'));
  const child = startProgram('listen-without-watch', [database.path], {
    environment: { LD_PRELOAD: faultShim(), HOLDFAST_FAULT_WATCH: String(EMFILE) },
  });
  await child.line('listening');
  await database.write(({ connection }) => connection.exec('INSERT INTO t VALUES (1)'));
  await child.line('heard');
  expect(await child.ended).toMatchObject({ code: 0 });
});

test('a disk that is really full: STORE_FULL, nothing lost, and after freeing space the same process goes on', async () => {
  const folder = join(temporaryFolder(), 'small');
  mkdirSync(folder);
  const seed = 20_261_115;
  const child = startProgram('fill-disk', [folder, String(seed)], {
    // A private file system that disappears with the process.
    through: ['unshare', '-rm', 'sh', '-c', `mount -t tmpfs -o size=3m tmpfs '${folder}' && exec "$@"`, 'sh'],
  });
  const { code, lines, errors } = await child.ended;
  expect(
    code,
    `A small file system could not be mounted or the program failed. As a user, this needs user namespaces: ` +
      `sysctl kernel.unprivileged_userns_clone=1 (or run as root).\n${errors}`,
  ).toBe(0);
  const report = JSON.parse(lines.at(-1)!.slice('report '.length)) as DiskReport;
  expect(report.rounds.length, `seed ${seed}`).toBeGreaterThan(0);
  for (const round of report.rounds) {
    expect(round.failed).toBeGreaterThan(0);
    expect(round.worksAgain).toBe(true);
  }
  expect(new Set(report.failed.map(([, failure]) => failure))).toEqual(new Set(['STORE_FULL']));
  expect(new Set(report.backups)).toEqual(new Set(['STORE_FULL']));
  expect(report.openings).toEqual(['STORE_FULL', 'STORE_FULL']);
  expect(report.seen).toEqual(report.acknowledged);
  expect(report.problems).toEqual([]);
  // No unfinished backup or log is left.
  expect(report.files).toEqual(['test.db']);
});
