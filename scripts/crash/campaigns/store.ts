import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { type Campaign, type Context, type Counts, noCounts } from '../lib/campaign.ts';
import { Ledger, StoreCheck, type Task } from '../lib/store.ts';
import type { Random } from '../../../packages/sqlite/test/random.ts';
import { Victim } from '../lib/victim.ts';

/**
 * Four processes write to one keyspace, three transactions at a time each. Each cycle kills some at a random moment,
 * pauses the others, and compares the database with the acknowledgements that each process got:
 *
 * - lost: acknowledged but missing
 * - phantom: present, but neither acknowledged nor started
 * - partial: a record without its index, log or journal entry, a gap in the log or revisions, a wrong counter, or
 * anything that `verify` or SQLite's check finds
 */
export const store: Campaign = {
  name: 'store',
  promise: 'what was acknowledged survives kill -9, whole, and nothing else appears',
  cycles: 2_000,
  failpoints: ['sqlite.commit.before', 'sqlite.commit.after'],
  run: (context) => runStore(context, false),
  canary: (context) => runStore(context, true),
};

const WRITERS = 4;
const LANES = 3;
const CYCLES_PER_DATABASE = 100;
const ALL_AT_ONCE = 0.25;
const WHILE_OPENING = 0.1;
const WITH_FAILPOINT = 0.2;
const RUN_MAX_MS = 70;
const WHOLE_CHECK_EVERY = 25;

/** `withLiars` makes writers acknowledge commits early, which the campaign must notice. */
async function runStore(context: Context, withLiars: boolean): Promise<Counts> {
  const counts = noCounts();
  const crew = new Crew(context.random, withLiars);
  try {
    for (let first = 0; first < context.cycles && !context.isTimeUp(); first += CYCLES_PER_DATABASE) {
      const folder = join(context.folder, `database-${first}`);
      mkdirSync(folder);
      const cycles = Math.min(CYCLES_PER_DATABASE, context.cycles - first);
      await runDatabase({ ...context, cycles }, crew, folder, counts);
      rmSync(folder, { recursive: true });
      context.progress(`${counts.cycles} cycles, ${counts.acknowledged} acknowledged`);
    }
  } finally {
    await crew.dismiss();
  }
  return counts;
}

interface Writer {
  readonly ledger: Ledger;
  victim: Victim | undefined;
}

async function runDatabase(context: Context, crew: Crew, folder: string, counts: Counts): Promise<void> {
  const { random, cycles } = context;
  const database = join(folder, 'test.db');
  const check = new StoreCheck(database, counts);
  const writers = Array.from({ length: WRITERS }, (_, index): Writer => {
    const name = `w${index}`;
    return { ledger: new Ledger(name, join(folder, `${name}.told`), LANES), victim: undefined };
  });
  const ledgers = writers.map(({ ledger }) => ledger);
  for (let cycle = 1, isLast = false; !isLast; cycle++) {
    counts.cycles += 1;
    await employ(writers, crew, database, random);
    await new Promise((resolve) => setTimeout(resolve, random.next() * RUN_MAX_MS));
    isLast = cycle === cycles || context.isTimeUp();
    await strike(writers, isLast ? writers : chosen(writers, random));
    counts.kills += dismissDead(writers, counts);
    await check.compare(ledgers, isLast || cycle % WHOLE_CHECK_EVERY === 0);
    for (const { victim } of writers) victim?.say('go on');
  }
}

/** Starts a process for every writer that has none. Usually waits until all of them write. */
async function employ(writers: readonly Writer[], crew: Crew, database: string, random: Random): Promise<void> {
  const isPatient = random.next() >= WHILE_OPENING;
  const fresh = writers.filter(({ victim }) => victim === undefined);
  const victims = fresh.map((writer) => (writer.victim = crew.hire(writer.ledger, database)));
  if (isPatient) await Promise.all(victims.map((victim) => victim.said('ready')));
}

function chosen(writers: readonly Writer[], random: Random): readonly Writer[] {
  if (random.next() < ALL_AT_ONCE) return writers;
  return random.shuffled(writers).slice(0, 1 + random.below(WRITERS - 2));
}

/** Kills the dying writers and pauses the others at the same moment. */
async function strike(writers: readonly Writer[], dying: readonly Writer[]): Promise<void> {
  await Promise.all(
    writers.map(async (writer) => {
      const { victim } = writer;
      if (victim === undefined) return;
      if (dying.includes(writer)) {
        await victim.kill();
        return;
      }
      victim.say('pause');
      await victim.said('paused');
    }),
  );
}

/** Removes dead writers; returns how many were killed, by the campaign or at a failpoint. */
function dismissDead(writers: readonly Writer[], counts: Counts): number {
  let killed = 0;
  for (const writer of writers) {
    const { victim } = writer;
    if (victim === undefined || !victim.isOver) continue;
    if (victim.wasKilled) killed += 1;
    else counts.violations.push(`cycle ${counts.cycles}: a writer failed: ${victim.failure ?? 'ended by itself'}`);
    writer.victim = undefined;
  }
  return killed;
}

/** Processes started ahead of time, so the next cycle does not wait for them. */
class Crew {
  readonly #random: Random;
  readonly #withLiars: boolean;
  readonly #spare: Victim[] = [];

  constructor(random: Random, withLiars: boolean) {
    this.#random = random;
    this.#withLiars = withLiars;
  }

  hire({ name, file, nextNumbers }: Ledger, database: string): Victim {
    const victim = this.#spare.shift() ?? this.#start();
    const seed = this.#random.below(2 ** 31);
    const task: Task = {
      name,
      database,
      toldFile: file,
      firstNumbers: nextNumbers,
      seed,
      isLiar: this.#withLiars,
    };
    victim.say(JSON.stringify(task));
    while (this.#spare.length < WRITERS - 1) this.#spare.push(this.#start());
    return victim;
  }

  async dismiss(): Promise<void> {
    await Promise.all(this.#spare.map((victim) => victim.kill()));
  }

  #start(): Victim {
    const random = this.#random;
    const isArmed = random.next() < WITH_FAILPOINT;
    const failpoint = isArmed ? `${random.of(store.failpoints)}:${1 + random.below(120)}` : undefined;
    return new Victim('store-writer', [], failpoint);
  }
}
