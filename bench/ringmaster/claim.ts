import { join } from 'node:path';

import { Connection } from '@holdfast/sqlite';

import { Child } from '../lib/child.ts';
import { type Context, type Figure, median } from '../lib/harness.ts';
import type { Claims } from '../programs/ringmaster-claimer.ts';
import { prepare } from './setup.ts';

const PROCESSES = 8;

/**
 * Workload: eight processes claim 4,000 tasks from one database. Baseline: a table of tasks and one equally durable
 * `UPDATE … RETURNING` per claim; ours writes task, attempt, worker, event and journal. The time runs until the last process
 * finds no more tasks. No task may be claimed twice. A third variant runs the baseline's statement under our fair lock,
 * to show how much of the difference is the price of fairness (docs/decisions/0023-the-price-of-fair-claims.md).
 */
export async function benchmark({ folder, quick, progress }: Context): Promise<readonly Figure[]> {
  const tasks = quick ? 200 : 4_000;
  const runs: Record<Kind, Timed>[] = [];
  for (let round = 0; round < (quick ? 1 : 3); round++) {
    const root = join(folder, `claim-${round}`);
    const rm = await prepare(root, tasks, [], PROCESSES);
    await rm.store.close();
    const [bare, fair] = ['bare', 'fair'].map((kind) => join(folder, `${kind}-${round}.db`)) as [string, string];
    for (const path of [bare, fair]) prepareBare(path, tasks);
    const run = {
      ours: await timed('ours', root, tasks),
      bare: await timed('bare', bare, tasks),
      fair: await timed('fair', fair, tasks),
    };
    runs.push(run);
    progress(`  ${(['ours', 'bare', 'fair'] as const).map((kind) => `${kind} ${describe(run[kind])}`).join('; ')}`);
  }
  const text = (kind: Kind): string => {
    const middle = (figure: (one: Timed) => number): number => median(runs.map((run) => figure(run[kind])));
    return describe({ rate: middle(({ rate }) => rate), longestMs: middle(({ longestMs }) => longestMs), doubles: 0 });
  };
  const ratio = (kind: Kind): number => median(runs.map((run) => run.ours.rate / run[kind].rate));
  const better = 'higher';
  const unit = '×';
  const bareText = `bare UPDATE … RETURNING: ${text('bare')} (ours ${text('ours')})`;
  return [
    { name: 'ringmaster.claim.rate', value: ratio('bare'), unit, baseline: bareText, goal: 0.5, better },
    {
      name: 'ringmaster.claim.fair_rate',
      value: ratio('fair'),
      unit,
      baseline: `the same statement behind our fair lock: ${text('fair')}`,
      goal: 0.5,
      better,
    },
    {
      name: 'ringmaster.claim.double',
      value: runs.reduce((total, { ours }) => total + ours.doubles, 0),
      unit: 'tasks',
      baseline: 'must be none',
      goal: 0,
      better: 'lower',
    },
  ];
}

type Kind = 'ours' | 'bare' | 'fair';

interface Timed {
  /** Claims per second. */
  readonly rate: number;
  readonly longestMs: number;
  readonly doubles: number;
}

function describe({ rate, longestMs }: Timed): string {
  return `${Math.round(rate)}/s, longest wait ${Math.round(longestMs)} ms`;
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

async function timed(kind: Kind, path: string, tasks: number): Promise<Timed> {
  const children = await Promise.all(
    Array.from({ length: PROCESSES }, (_, n) => Child.start('ringmaster-claimer', [kind, path, `w${n}`])),
  );
  const started = performance.now();
  const claims = await Promise.all(children.map((child) => child.ask<Claims>('claim')));
  const seconds = (performance.now() - started) / 1_000;
  await Promise.all(children.map((child) => child.stop()));
  const claimed = claims.flatMap(({ ids }) => ids);
  if (new Set(claimed).size !== tasks) throw new Error(`${new Set(claimed).size} of ${tasks} were claimed`);
  const longestMs = Math.max(...claims.map(({ longestMs: longest }) => longest));
  return { rate: tasks / seconds, longestMs, doubles: claimed.length - tasks };
}
