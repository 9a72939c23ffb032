import type { Random } from '../../../packages/sqlite/test/random.ts';

export interface Context {
  readonly cycles: number;
  /** True if the campaign must end before all cycles are done. */
  readonly isTimeUp: () => boolean;
  readonly random: Random;
  /** Selected parts of a campaign; defaults to all. */
  readonly parts?: readonly string[] | undefined;
  /** An empty folder on a real disk; deleted afterwards. */
  readonly folder: string;
  progress(text: string): void;
}

/** Counters of a campaign. Each campaign's file defines its three kinds of violation. */
export interface Counts {
  cycles: number;
  kills: number;
  /** Number of acknowledged changes, each of which was checked. */
  acknowledged: number;
  /** Acknowledged but missing. */
  lost: number;
  /** Present but never requested. */
  phantom: number;
  /** Partly present. */
  partial: number;
  readonly violations: string[];
}

export interface Campaign {
  readonly name: string;
  /** The promise that the campaign tests, in one sentence. */
  readonly promise: string;
  /** Number of cycles of a whole run. */
  readonly cycles: number;
  /** True if the campaign ends after all cases; `cycles` is then an upper bound. */
  readonly isExhaustive?: boolean;
  /** Failpoints at which the campaign kills processes. A test ensures that every failpoint belongs to a campaign. */
  readonly failpoints: readonly string[];
  run(context: Context): Promise<Counts>;
  /** A deliberately broken run, which must find violations. */
  canary?(context: Context): Promise<Counts>;
}

export function noCounts(): Counts {
  return { cycles: 0, kills: 0, acknowledged: 0, lost: 0, phantom: 0, partial: 0, violations: [] };
}

export function addCounts(total: Counts, part: Counts): void {
  for (const name of ['cycles', 'kills', 'acknowledged', 'lost', 'phantom', 'partial'] as const) {
    total[name] += part[name];
  }
  total.violations.push(...part.violations);
}

const VIOLATIONS_MAX = 50;

export function violate(counts: Counts, kind: 'lost' | 'phantom' | 'partial', text: string): void {
  counts[kind] += 1;
  if (counts.violations.length >= VIOLATIONS_MAX) return;
  const violation = `cycle ${counts.cycles}: ${kind}: ${text}`;
  counts.violations.push(violation);
  // A full run can take hours, so a violation is shown at once.
  process.stderr.write(`${violation}\n`);
}

/**
 * Runs a task for each item, a limited number at a time. After a failure, waits for the running tasks, then throws the
 * first error.
 */
export async function sideBySide<T>(
  items: readonly T[],
  width: number,
  task: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const lane = async (): Promise<void> => {
    for (const item of queue) await task(item);
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(width, items.length) }, lane));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
