import { join } from 'node:path';

import { Connection } from '@holdfast/sqlite';

import { Child } from '../lib/child.ts';
import { type Context, type Figure, median } from '../lib/harness.ts';
import { prepare } from './setup.ts';

const PROCESSES = 8;

/**
 * Workload: eight processes claim 4,000 tasks of one database. Baseline: a table of tasks and one equally durable
 * `UPDATE … RETURNING` per claim; ours writes task, attempt, worker, event and journal. Timed: until the last process
 * finds nothing. No task may be claimed twice.
 */
export async function benchmark({ folder, quick, progress }: Context): Promise<readonly Figure[]> {
  const tasks = quick ? 200 : 4_000;
  const rounds = quick ? 1 : 3;
  const ratios: number[] = [];
  const rates: { ours: number; bare: number }[] = [];
  let doubles = 0;
  for (let round = 0; round < rounds; round++) {
    const root = join(folder, `claim-${round}`);
    const rm = await prepare(root, tasks, [], PROCESSES);
    await rm.store.close();
    const path = join(folder, `bare-${round}.db`);
    prepareBare(path, tasks);
    const ours = await timed('ours', root, tasks);
    const bare = await timed('bare', path, tasks);
    doubles += ours.doubles;
    ratios.push(bare.seconds / ours.seconds);
    rates.push({ ours: tasks / ours.seconds, bare: tasks / bare.seconds });
    progress(`  ours ${Math.round(tasks / ours.seconds)}/s, bare ${Math.round(tasks / bare.seconds)}/s`);
  }
  const rate = (kind: 'ours' | 'bare'): string => `${Math.round(median(rates.map((one) => one[kind])))}/s`;
  return [
    {
      name: 'ringmaster.claim.rate',
      value: median(ratios),
      unit: '×',
      baseline: `bare UPDATE … RETURNING: ${rate('bare')} (ours ${rate('ours')})`,
      goal: 0.5,
      better: 'higher',
    },
    {
      name: 'ringmaster.claim.double',
      value: doubles,
      unit: 'tasks',
      baseline: 'must be none',
      goal: 0,
      better: 'lower',
    },
  ];
}

function prepareBare(path: string, tasks: number): void {
  const connection = new Connection(path);
  connection.exec(`CREATE TABLE tasks (id TEXT PRIMARY KEY, status TEXT, priority REAL, worker_id TEXT);
    CREATE INDEX by_priority ON tasks (priority DESC) WHERE status = 'ready'; BEGIN`);
  for (let n = 0; n < tasks; n++) {
    connection.run(`INSERT INTO tasks VALUES (?, 'ready', ?, NULL)`, `bd-${n}`, ((n * 7919) % tasks) / tasks);
  }
  connection.exec('COMMIT');
  connection.close();
}

async function timed(kind: string, path: string, tasks: number): Promise<{ seconds: number; doubles: number }> {
  const children = await Promise.all(
    Array.from({ length: PROCESSES }, (_, n) => Child.start('ringmaster-claimer', [kind, path, `w${n}`])),
  );
  const started = performance.now();
  const claimed = (await Promise.all(children.map((child) => child.ask<string[]>('claim')))).flat();
  const seconds = (performance.now() - started) / 1_000;
  await Promise.all(children.map((child) => child.stop()));
  if (new Set(claimed).size !== tasks) throw new Error(`${new Set(claimed).size} of ${tasks} were claimed`);
  return { seconds, doubles: claimed.length - tasks };
}
