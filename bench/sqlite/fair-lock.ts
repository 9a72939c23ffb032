import { join } from 'node:path';

import { Child } from '../lib/child.ts';
import { type Context, type Figure, median } from '../lib/harness.ts';
import type { Written } from '../programs/contended-writer.ts';
import { type LockKind, readOutcome } from './contended.ts';

const names = ['p0', 'p1', 'p2', 'p3'] as const;

interface Round {
  readonly total: number;
  /** Commits of the slowest process as a fraction of its fair share, which is a quarter of all commits. */
  readonly slowestShare: number;
  readonly longestMs: number;
}

/**
 * Workload: four processes write to one database as fast as they can for four seconds, one durable commit at a time: a
 * shared counter, a record, a journal row. Baseline: the same statements under SQLite's lock and busy handler.
 * Measured: commits in that time, and the longest call. The sides alternate; shares and waits are the worst of all
 * rounds. Afterwards the counter and every process's records must be exact.
 */
export async function benchmark(context: Context): Promise<readonly Figure[]> {
  const milliseconds = context.quick ? 500 : 4_000;
  const rounds = context.quick ? 1 : 5;
  const fair: Round[] = [];
  const sqlite: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    // Alternates which side is first, so that a changing load on the machine favours neither.
    const order = round % 2 === 0 ? (['fair', 'sqlite'] as const) : (['sqlite', 'fair'] as const);
    for (const kind of order) {
      const result = await run(kind, join(context.folder, `${kind}-${round}.db`), milliseconds);
      (kind === 'fair' ? fair : sqlite).push(result);
    }
    context.progress(`  ${describe('fair', fair.at(-1))}; ${describe('SQLite', sqlite.at(-1))}`);
  }
  const share = (all: readonly Round[]): number => Math.min(...all.map(({ slowestShare }) => slowestShare));
  const wait = (all: readonly Round[]): number => Math.max(...all.map(({ longestMs }) => longestMs));
  const perSecond = (all: readonly Round[]): string =>
    `${Math.round((median(all.map(({ total }) => total)) * 1_000) / milliseconds)} commits/s`;
  const ratio = median(fair.map(({ total }, round) => total / (sqlite[round]?.total ?? Number.NaN)));
  return [
    {
      name: 'sqlite.fair_lock.slowest_share',
      value: share(fair),
      unit: '× fair share',
      baseline: `SQLite's own lock: ${share(sqlite).toFixed(2)}`,
      goal: 0.7,
      better: 'higher',
    },
    {
      name: 'sqlite.fair_lock.longest_wait',
      value: wait(fair),
      unit: 'ms',
      baseline: `SQLite's own lock: ${wait(sqlite).toFixed(0)} ms`,
      goal: 250,
      better: 'lower',
    },
    {
      name: 'sqlite.fair_lock.total',
      value: ratio,
      unit: '×',
      baseline: `SQLite's own lock: ${perSecond(sqlite)} (ours ${perSecond(fair)})`,
      goal: 0.8,
      better: 'higher',
    },
  ];
}

async function run(kind: LockKind, path: string, milliseconds: number): Promise<Round> {
  const children = await Promise.all(names.map((name) => Child.start('contended-writer', [kind, path, name])));
  const written = await Promise.all(children.map((child) => child.ask<Written>(String(milliseconds))));
  await Promise.all(children.map((child) => child.stop()));
  const commits = written.map((one) => one.commits);
  refuseInexact(path, commits);
  const total = commits.reduce((sum, count) => sum + count, 0);
  return {
    total,
    slowestShare: Math.min(...commits) / (total / names.length),
    longestMs: Math.max(...written.map((one) => one.longestMs)),
  };
}

function refuseInexact(path: string, commits: readonly number[]): void {
  const { counter, records } = readOutcome(path, names);
  const total = commits.reduce((sum, count) => sum + count, 0);
  const isExact = counter === total && commits.every((count, index) => records[index] === count);
  if (!isExact) throw new Error(`Acknowledged ${commits.join(' + ')}, stored ${counter} and ${records.join(' + ')}`);
}

function describe(name: string, round: Round | undefined): string {
  if (round === undefined) return name;
  const { total, slowestShare, longestMs } = round;
  return `${name}: ${total} commits, slowest ${slowestShare.toFixed(2)}, longest ${longestMs.toFixed(0)} ms`;
}
