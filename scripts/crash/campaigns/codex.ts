import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { failureOf } from '../../../apps/codex/src/model/failure.ts';
import { notebookPath } from '../../../apps/codex/src/model/path.ts';
import { Codex } from '../../../apps/codex/src/service/codex.ts';
import { addNotebook } from '../../../apps/codex/src/service/notebooks.ts';
import { publish } from '../../../apps/codex/src/service/publish.ts';
import { postponeEvent, waitingEvents } from '../../../apps/codex/src/store/events.ts';
import { openStore } from '../../../apps/codex/src/store/open.ts';
import { addCounts, type Campaign, type Context, type Counts, noCounts, sideBySide, violate } from '../lib/campaign.ts';
import { check, folderOf, NOTEBOOK, openWork, settle } from '../lib/codex-notebook.ts';
import { type Scenario, scenarios, seedTree } from '../lib/codex-scenarios.ts';
import { Random } from '../../../packages/sqlite/test/random.ts';
import { startAndKill, type Victim } from '../lib/victim.ts';

const WAIT_MS = 60_000;
/** Several cycles run per CPU core, because they mostly wait for the disk. */
const LANES_PER_PROCESSOR = 4;

/**
 * Kills each kind of operation at every step, and then kills the recovery at every one of its steps. A whole run tries
 * every pair of such steps; there are fewer pairs than `cycles` allows. A shorter run tries a sample.
 *
 * - lost: an acknowledged operation did not happen
 * - phantom: something exists that was never requested
 * - partial: folder, index, events and git disagree
 */
export const codex: Campaign = {
  name: 'codex',
  promise: 'an operation that is killed twice, anywhere, is done completely or not at all; folder, index and git agree',
  cycles: 20_000,
  isExhaustive: true,
  failpoints: [
    'sqlite.commit.before',
    'sqlite.commit.after',
    'codex.stage.written',
    'codex.stage.done',
    'codex.publish.staged',
    'codex.publish.done',
    'codex.group.claimed',
    'codex.group.applied',
    'codex.group.synced',
    'codex.group.recorded',
    'codex.recover.begun',
    'codex.recover.group',
    'codex.write.temporary',
    'codex.write.folders',
    'codex.write.kept',
    'codex.write.linked',
    'codex.write.renamed',
    'codex.write.cleaned',
    'codex.move.folders',
    'codex.move.renamed',
    'codex.move.linked',
    'codex.move.synced',
    'codex.move.moved',
    'codex.folder.made',
    'codex.trash.folder',
    'codex.trash.moved',
    'codex.untrash.folders',
    'codex.untrash.linked',
    'codex.untrash.moved',
    'codex.links.begun',
    'codex.links.queued',
    'codex.commit.begun',
    'codex.commit.ended',
    'codex.git.imported',
    'codex.git.ready',
    'codex.git.moved',
    'codex.git.index',
    'codex.git.published',
    'codex.git.known',
    'codex.git.recorded',
  ],
  async run(context) {
    const total = noCounts();
    const chosen = context.random.shuffled(
      scenarios.filter(({ name }) => context.parts === undefined || context.parts.includes(name)),
    );
    const trials = chosen.map(
      (scenario, index) => new Trial(context, scenario, shareOf(context, index, chosen.length)),
    );
    await sideBySide(trials, LANES_PER_PROCESSOR * availableParallelism(), async (trial) => {
      const { name } = trial.scenario;
      if (!context.isTimeUp()) await trial.run();
      addCounts(total, trial.counts);
      context.progress(`${name}: ${trial.counts.cycles} cycles, ${trial.counts.violations.length} violations`);
    });
    return total;
  },
};

/**
 * Steps that every recovery passes. Samples choose only from these, because a failpoint that is never reached kills
 * nothing.
 */
const everyRecovery: readonly string[] = ['sqlite.commit.before:1', 'sqlite.commit.after:1', 'codex.recover.begun:1'];

function isSample({ cycles }: Context): boolean {
  return cycles < codex.cycles;
}

/** Returns the number of sample cycles for one scenario. */
function shareOf(context: Context, index: number, scenarioCount: number): number {
  if (!isSample(context)) return Number.POSITIVE_INFINITY;
  return Math.floor(context.cycles / scenarioCount) + (index < context.cycles % scenarioCount ? 1 : 0);
}

/** Runs one scenario with all its kills, in its own folder. */
class Trial {
  readonly scenario: Scenario;
  readonly counts: Counts = noCounts();
  readonly #context: Context;
  readonly #limit: number;
  readonly #random: Random;
  readonly #template: string;
  readonly #home: string;
  /** Killed processes whose git children may still be writing. */
  readonly #dead: Victim[] = [];

  constructor(context: Context, scenario: Scenario, limit: number) {
    this.#context = context;
    this.scenario = scenario;
    this.#limit = limit;
    this.#random = new Random(context.random.below(2 ** 32));
    this.#template = join(context.folder, scenario.name, 'template');
    this.#home = join(context.folder, scenario.name, 'home');
  }

  get #isOver(): boolean {
    return this.counts.cycles >= this.#limit || this.#context.isTimeUp();
  }

  async run(): Promise<void> {
    await prepare(this.#home, this.scenario);
    copyFolder(this.#home, this.#template);
    const deaths = await this.#passesOf(this.scenario.name);
    for (const death of this.#random.shuffled(deaths)) {
      if (this.#isOver) return;
      await this.#strike(death);
      if (isSample(this.#context)) continue;
      const { cycles, violations } = this.counts;
      this.#context.progress(`${this.scenario.name}, ${death}: ${cycles} cycles, ${violations.length} violations`);
    }
  }

  /**
   * Runs the program without killing it; returns a failpoint for each time that it reached a step, such as `step:2`.
   */
  async #passesOf(what: string): Promise<readonly string[]> {
    const victim = await startAndKill('codex-victim', [this.#home, what], { failpoint: '?', afterMs: 0 });
    this.#note(victim);
    const passes = new Map<string, number>();
    return victim.passed.map((step) => {
      passes.set(step, (passes.get(step) ?? 0) + 1);
      return `${step}:${passes.get(step)}`;
    });
  }

  async #strike(death: string): Promise<void> {
    const first = await this.#die(death);
    if (first === undefined) return;
    const seconds = isSample(this.#context) ? everyRecovery : await this.#passesOf('recover');
    await this.#finish(death, first.isAcknowledged);
    for (const second of this.#random.shuffled(seconds)) {
      if (this.#isOver) return;
      const again = await this.#die(death);
      if (again === undefined) return;
      const victim = await startAndKill('codex-victim', [this.#home, 'recover'], { failpoint: second, afterMs: 0 });
      this.#dead.push(victim);
      if (victim.wasKilled) this.counts.kills += 1;
      else this.#note(victim);
      await this.#finish(`${death}, ${second}`, again.isAcknowledged);
      // A sample tries only one recovery step per kill, but many kills.
      if (isSample(this.#context)) return;
    }
  }

  /**
   * Starts from the template for each kill. The state after a kill cannot be copied: copying turns hard links into
   * separate files, and codex identifies files by inode.
   */
  async #die(death: string): Promise<{ readonly isAcknowledged: boolean } | undefined> {
    for (const victim of this.#dead.splice(0)) await victim.gone();
    copyFolder(this.#template, this.#home);
    const victim = await startAndKill('codex-victim', [this.#home, this.scenario.name], {
      failpoint: death,
      afterMs: 0,
    });
    this.#dead.push(victim);
    if (!victim.wasKilled) {
      this.#note(victim);
      return undefined;
    }
    this.counts.kills += 1;
    return { isAcknowledged: this.scenario.queued !== undefined || victim.lines.includes('acknowledged') };
  }

  async #finish(deaths: string, isAcknowledged: boolean): Promise<void> {
    this.counts.cycles += 1;
    if (isAcknowledged) this.counts.acknowledged += 1;
    const known = this.counts.violations.length;
    try {
      await check(this.#home, this.scenario, isAcknowledged, this.counts);
    } catch (error) {
      violate(this.counts, 'partial', `${this.scenario.name}: ${(error as Error).message}`);
    }
    for (const text of this.counts.violations.slice(known)) this.#context.progress(`after ${deaths}: ${text}`);
  }

  #note(victim: Victim): void {
    if (victim.failure !== undefined) violate(this.counts, 'partial', `${this.scenario.name}: ${victim.failure}`);
  }
}

function copyFolder(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
}

async function prepare(home: string, { before = [], queued = [], isRetried, meanwhile }: Scenario): Promise<void> {
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const work = await openWork(home);
  await addNotebook(work, { name: 'notes' });
  for (const [path, content] of Object.entries(seedTree)) {
    const request = { type: 'create', path: notebookPath(path), content: Buffer.from(content) } as const;
    await work.run({ notebookId: NOTEBOOK, author: 'Ada', requests: [request] }, WAIT_MS);
  }
  for (const request of before) await work.run({ notebookId: NOTEBOOK, author: 'Ada', requests: [request] }, WAIT_MS);
  await settle(work);
  const { settings } = work;
  await work.close();
  const atRest = await Codex.open({ home, databasePath: join(home, 'codex.db'), settings });
  for (const request of queued) {
    await publish(atRest, { notebookId: NOTEBOOK, author: 'Ada', requests: [request] });
  }
  await atRest.store.close();
  if (isRetried === true) await putOff(home);
  meanwhile?.(folderOf(home));
}

/** Postpones operations that a killed process had started, as a full disk does. */
async function putOff(home: string): Promise<void> {
  const victim = await startAndKill('codex-victim', [home, 'recover'], {
    failpoint: 'codex.group.claimed:1',
    afterMs: 0,
  });
  await victim.gone();
  const store = await openStore({ path: join(home, 'codex.db') });
  const failure = failureOf(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
  await store.write('put off', (tx) => {
    for (const { id, status } of waitingEvents(tx, NOTEBOOK, 0, 10)) {
      if (status === 'processing') postponeEvent(tx, id, failure, 1, 0);
    }
  });
  await store.close();
}
