import type { Random } from '../../../packages/sqlite/test/random.ts';

/** What a campaign gets. */
export interface Context {
  readonly cycles: number;
  /** Whether it should come to its end before it has made all its cycles. */
  readonly isTimeUp: () => boolean;
  readonly random: Random;
  /** Names of the parts that are wanted, of a campaign that has parts; all of them when left out. */
  readonly parts?: readonly string[] | undefined;
  /** An empty folder on a real disk; deleted afterwards. */
  readonly folder: string;
  progress(text: string): void;
}

/** What a campaign counts. The three kinds of violation mean something a little different in each: see its file. */
export interface Counts {
  cycles: number;
  kills: number;
  /** How many promises were made, each of which was then checked. */
  acknowledged: number;
  /** Promised, and not there. */
  lost: number;
  /** There, and never asked for. */
  phantom: number;
  /** There in part. */
  partial: number;
  /** What went wrong, in words. */
  readonly violations: string[];
}

export interface Campaign {
  readonly name: string;
  /** What it proves, in one sentence. */
  readonly promise: string;
  /** How many cycles a whole run has. */
  readonly cycles: number;
  /** Whether it ends by itself when everything has been tried; then `cycles` is only an upper bound. */
  readonly isExhaustive?: boolean;
  /** The steps at which it stops processes; a test sees to it that none is left out. */
  readonly failpoints: readonly string[];
  run(context: Context): Promise<Counts>;
  /** Broken on purpose: a run of this must find violations, or the campaign proves nothing. */
  canary?(context: Context): Promise<Counts>;
}

export function noCounts(): Counts {
  return { cycles: 0, kills: 0, acknowledged: 0, lost: 0, phantom: 0, partial: 0, violations: [] };
}

/** Adds what a part of a campaign counted. */
export function addCounts(total: Counts, part: Counts): void {
  for (const name of ['cycles', 'kills', 'acknowledged', 'lost', 'phantom', 'partial'] as const) {
    total[name] += part[name];
  }
  total.violations.push(...part.violations);
}

const VIOLATIONS_MAX = 50;

export function violate(counts: Counts, kind: 'lost' | 'phantom' | 'partial', text: string): void {
  counts[kind] += 1;
  if (counts.violations.length < VIOLATIONS_MAX) counts.violations.push(`cycle ${counts.cycles}: ${kind}: ${text}`);
}
