import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** One line of the result: a ratio to a baseline from the same run, or an absolute figure. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The baseline and its measured speed. */
  readonly baseline: string;
  readonly goal: number;
  readonly better: 'lower' | 'higher';
}

export interface Context {
  /** A short run that tests the benchmark itself; its figures mean nothing. */
  readonly quick: boolean;
  /** An empty folder on the measured disk; deleted afterwards. */
  readonly folder: string;
  readonly progress: (text: string) => void;
}

export type Benchmark = (context: Context) => Promise<readonly Figure[]>;

export async function runBenchmark(benchmark: Benchmark, options: Omit<Context, 'folder'>): Promise<readonly Figure[]> {
  const base = join(process.cwd(), 'dist', 'bench');
  mkdirSync(base, { recursive: true });
  const folder = mkdtempSync(join(base, 'run-'));
  try {
    return await benchmark({ ...options, folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface Comparison {
  /** Operations per round: few, so that other load affects both sides alike, but enough for the clock's resolution. */
  readonly operations: number;
  readonly rounds: number;
  readonly warmUpRounds: number;
  readonly ours: (operation: number) => unknown;
  readonly baseline: (operation: number) => unknown;
}

export interface Compared {
  /** Our time divided by the baseline's time, as the median of all rounds. */
  readonly ratio: number;
  readonly oursMicros: number;
  readonly baselineMicros: number;
}

/** Runs both sides in every round, alternating which is first, and computes the ratio per round. */
export async function compare(comparison: Comparison): Promise<Compared> {
  const { operations, rounds, warmUpRounds, ours, baseline } = comparison;
  const ratios: number[] = [];
  const oursMicros: number[] = [];
  const baselineMicros: number[] = [];
  for (let round = -warmUpRounds; round < rounds; round++) {
    const first = (round + warmUpRounds) * operations;
    let our = 0;
    let their = 0;
    if (round % 2 === 0) {
      our = await timeRound(ours, first, operations);
      their = await timeRound(baseline, first, operations);
    } else {
      their = await timeRound(baseline, first, operations);
      our = await timeRound(ours, first, operations);
    }
    if (round < 0) continue;
    ratios.push(our / their);
    oursMicros.push(our);
    baselineMicros.push(their);
  }
  return { ratio: median(ratios), oursMicros: median(oursMicros), baselineMicros: median(baselineMicros) };
}

/** Returns microseconds per operation. Awaits only promises, because awaiting a plain value would add time. */
async function timeRound(operation: (n: number) => unknown, first: number, operations: number): Promise<number> {
  const started = performance.now();
  for (let n = first; n < first + operations; n++) {
    const result = operation(n);
    if (result instanceof Promise) await result;
  }
  return ((performance.now() - started) * 1_000) / operations;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], fraction: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN;
}

export function ratioFigure(name: string, compared: Compared, baseline: string, goal: number): Figure {
  const { ratio, oursMicros, baselineMicros } = compared;
  const absolute = `${baselineMicros.toFixed(1)} µs (ours ${oursMicros.toFixed(1)} µs)`;
  return { name, value: ratio, unit: '×', baseline: `${baseline}: ${absolute}`, goal, better: 'lower' };
}

export function reachesGoal({ value, goal, better }: Figure): boolean {
  return better === 'lower' ? value <= goal : value >= goal;
}
