import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { type Campaign, type Context, type Counts, noCounts, sideBySide, violate } from '../lib/campaign.ts';
import { createPowerDisk, falseSyncs, type PowerDisk } from '../lib/power-disk.ts';
import { powerApps } from '../lib/power-apps.ts';
import { Victim } from '../lib/victim.ts';

/**
 * All five applications write to an ext4 file system in a loop device. Each cycle cuts the power of this disk, restarts
 * the disk, and compares the stored items with those that were acknowledged before the cut. Without root, and with the
 * part `plain`, a library drops the unsynced writes to a folder instead.
 *
 * - lost: acknowledged but missing
 * - phantom: present, but never started
 * - partial: an application does not recover by itself, a file is torn, or the application's own checks find a problem
 */
export const power: Campaign = {
  name: 'power',
  promise: 'what was acknowledged survives a power cut, and every application recovers by itself',
  cycles: 1_000,
  failpoints: [],
  run: (context) => runPower(context, false),
  canary: (context) => runPower(context, true),
};

export interface PowerTask {
  readonly home: string;
  readonly isNew: boolean;
  /** The next number of each application. */
  readonly next: Readonly<Record<string, number>>;
}

export interface Inspection {
  readonly app: string;
  readonly stored: readonly number[];
  readonly problems: readonly string[];
}

const CYCLES_PER_DISK = 20;
/** A cut waits mostly for the disk, so several disks work at the same time. */
const DISKS_AT_ONCE = 12;
/** Fraction of the cuts that hit the applications while they recover from the previous cut. */
const WHILE_RECOVERING = 0.25;
const RECOVERING_MS = 1_500;
const WRITING_MS = 400;
/** Long, because an overloaded machine must not look like a failed recovery. */
const PATIENCE_MS = 180_000;
/** Short, because the canary waits for a recovery that cannot happen. */
const CANARY_PATIENCE_MS = 5_000;
const POLL_MS = 5;

async function runPower(context: Context, withFalseSyncs: boolean): Promise<Counts> {
  const counts = noCounts();
  const library = withFalseSyncs ? await falseSyncs(context.folder) : undefined;
  const disks = Array.from({ length: Math.ceil(context.cycles / CYCLES_PER_DISK) }, (_, n) => n * CYCLES_PER_DISK);
  await sideBySide(disks, DISKS_AT_ONCE, async (first) => {
    if (context.isTimeUp()) return;
    const folder = join(context.folder, `disk-${first}`);
    mkdirSync(folder);
    const cycles = Math.min(CYCLES_PER_DISK, context.cycles - first);
    const disk = await createPowerDisk(folder, context.parts?.includes('plain') === true);
    try {
      await runDisk({ ...context, cycles }, disk, library, counts);
    } finally {
      await disk.remove();
    }
    context.progress(
      `${counts.cycles} cuts, ${counts.acknowledged} acknowledged, ${counts.violations.length} violations`,
    );
  });
  return counts;
}

async function runDisk(context: Context, disk: PowerDisk, library: string | undefined, counts: Counts): Promise<void> {
  const ledgers = new Map(powerApps.map(({ name }) => [name, new Ledger()]));
  const patience = library === undefined ? PATIENCE_MS : CANARY_PATIENCE_MS;
  let isNew = true;
  for (let cycle = 0; cycle < context.cycles && !context.isTimeUp(); cycle++) {
    counts.cycles += 1;
    // Does not cut the power during the last inspection of a disk.
    const isRecovering = !isNew && cycle < context.cycles - 1 && context.random.next() < WHILE_RECOVERING;
    const writer = new Writer({ home: disk.folder, isNew, next: nextNumbers(ledgers) }, preloaded(disk, library));
    const deadline = isRecovering ? context.random.next() * RECOVERING_MS : patience;
    const isWriting = await writer.writes(deadline);
    if (!isWriting && !isRecovering) violate(counts, 'partial', `no recovery: ${writer.missing()}`);
    if (isWriting) await pause(context.random.next() * WRITING_MS);
    // Only acknowledgements from before the cut count.
    writer.read(ledgers, counts);
    await disk.cut();
    counts.kills += 1;
    await writer.stop();
    writer.closeBooks(ledgers);
    await disk.restart();
    isNew = false;
  }
}

function preloaded({ preload }: PowerDisk, falseSync: string | undefined): Readonly<Record<string, string>> {
  const libraries = [falseSync, preload?.library].filter((library) => library !== undefined);
  return libraries.length === 0 ? {} : { LD_PRELOAD: libraries.join(':'), ...preload?.env };
}

function nextNumbers(ledgers: ReadonlyMap<string, Ledger>): Record<string, number> {
  return Object.fromEntries([...ledgers].map(([name, { next }]) => [name, next]));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The items of one application. Items that were in flight during a cut may or may not be stored. */
class Ledger {
  next = 1;
  acknowledged = 0;
  readonly #open = new Set<number>();

  /**
   * Called after a cut. `reported` is the last reported item. Items after the last acknowledged one, up to `reported +
   * 1`, may have been stored.
   */
  close(reported: number): void {
    for (let n = this.acknowledged + 1; n <= reported + 1; n++) this.#open.add(n);
    this.next = Math.max(this.next, reported + 2);
    this.acknowledged = this.next - 1;
  }

  compare(app: string, { stored, problems }: Inspection, counts: Counts): void {
    const found = new Set(stored);
    for (let n = 1; n < this.next; n++) {
      if (!found.has(n) && !this.#open.has(n)) violate(counts, 'lost', `${app}: item ${n}`);
    }
    for (const n of found) if (!(n >= 1 && n < this.next)) violate(counts, 'phantom', `${app}: item ${n}`);
    if (found.size !== stored.length) violate(counts, 'phantom', `${app}: ${stored.length - found.size} items twice`);
    for (const problem of problems) violate(counts, 'partial', `${app}: ${problem}`);
  }
}

/** The process that writes with all applications. */
class Writer {
  readonly #victim: Victim;
  #readLines = 0;

  constructor(task: PowerTask, env: Readonly<Record<string, string>>) {
    this.#victim = new Victim('power-writer', [], undefined, env);
    this.#victim.say(JSON.stringify(task));
  }

  /** Resolves to true when every application has acknowledged a write, or to false at the deadline. */
  async writes(deadlineMs: number): Promise<boolean> {
    const end = performance.now() + deadlineMs;
    while (this.missing() !== '' && performance.now() < end && !this.#victim.isOver) await pause(POLL_MS);
    return this.missing() === '';
  }

  /** Returns the applications that have acknowledged nothing, with their errors. */
  missing(): string {
    const silent = powerApps.filter(({ name }) => !this.#victim.lines.some((line) => line.startsWith(`a ${name} `)));
    const errors = this.#victim.lines.filter((line) => line.startsWith('stopped '));
    return [...silent.map(({ name }) => name), ...(silent.length > 0 ? errors : [])].join('; ');
  }

  /** Records all acknowledgements so far, and compares the inspections with the ledgers. */
  read(ledgers: ReadonlyMap<string, Ledger>, counts: Counts): void {
    for (const line of this.#victim.lines.slice(this.#readLines)) {
      this.#readLines += 1;
      if (line.startsWith('inspected ')) {
        const inspection = JSON.parse(line.slice('inspected '.length)) as Inspection;
        ledgers.get(inspection.app)?.compare(inspection.app, inspection, counts);
      }
      const [, app = '', n] = /^a (\S+) (\d+)$/u.exec(line) ?? [];
      const ledger = ledgers.get(app);
      if (ledger === undefined) continue;
      ledger.acknowledged = Number(n);
      counts.acknowledged += 1;
    }
  }

  async stop(): Promise<void> {
    await this.#victim.kill();
    await this.#victim.gone();
  }

  /** Records the items that were reported after the cut, because they may have been stored. */
  closeBooks(ledgers: ReadonlyMap<string, Ledger>): void {
    for (const [name, ledger] of ledgers) {
      const reported = this.#victim.lines.flatMap((line) => {
        const [, n] = new RegExp(`^a ${name} (\\d+)$`, 'u').exec(line) ?? [];
        return n === undefined ? [] : [Number(n)];
      });
      ledger.close(reported.at(-1) ?? ledger.next - 1);
    }
  }
}
