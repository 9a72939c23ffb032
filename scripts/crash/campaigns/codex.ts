import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { notebookPath } from '../../../apps/codex/src/model/path.ts';
import { addNotebook } from '../../../apps/codex/src/service/notebooks.ts';
import { type Campaign, type Context, type Counts, noCounts } from '../lib/campaign.ts';
import { check, folderOf, NOTEBOOK, openWork, settle } from '../lib/codex-notebook.ts';
import { type Scenario, scenarios, seedTree } from '../lib/codex-scenarios.ts';
import { startAndKill } from '../lib/strike.ts';
import type { Victim } from '../lib/victim.ts';

const WAIT_MS = 60_000;

/**
 * Each kind of operation is killed at each step that it passes, at each of its passes, and what comes after is killed at
 * each step of the recovery. A whole run goes through all pairs, fewer than the number of cycles allows for; a shorter one
 * takes as many of them as it has cycles.
 *
 * - lost: an acknowledged operation did not happen
 * - phantom: something is there that was never asked for
 * - partial: folder, index, events and git do not agree
 */
export const codex: Campaign = {
  name: 'codex',
  promise: 'an operation that is killed anywhere, twice, is done whole or not at all, and folder, index and git agree',
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
    'codex.git.recorded',
  ],
  async run(context) {
    const counts = noCounts();
    const chosen = scenarios.filter(({ name }) => context.parts === undefined || context.parts.includes(name));
    for (const scenario of context.random.shuffled(chosen)) {
      const share = isSample(context) ? Math.ceil(context.cycles / chosen.length) : Number.POSITIVE_INFINITY;
      const limit = Math.min(counts.cycles + share, context.cycles);
      await runScenario(context, scenario, counts, limit);
      context.progress(
        `${scenario.name}: ${counts.cycles} cycles, ${counts.kills} kills, ${counts.violations.length} violations`,
      );
    }
    return counts;
  },
};

/** Steps that every recovery passes: a death that is not died is a wasted one. */
const everyRecovery: readonly string[] = ['sqlite.commit.before:1', 'sqlite.commit.after:1', 'codex.recover.begun:1'];

function isSample({ cycles }: Context): boolean {
  return cycles < codex.cycles;
}

async function runScenario(context: Context, scenario: Scenario, counts: Counts, limit: number): Promise<void> {
  const template = join(context.folder, 'template');
  const home = join(context.folder, 'home');
  await prepare(home, scenario);
  rmSync(template, { recursive: true, force: true });
  cpSync(home, template, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  const deaths = await passesOf(home, scenario.name, counts);
  for (const death of context.random.shuffled(deaths)) {
    if (counts.cycles >= limit || context.isTimeUp()) return;
    await strike(context, scenario, counts, death, limit);
    if (!isSample(context))
      context.progress(`${scenario.name}, ${death}: ${counts.cycles} cycles, ${counts.violations.length} violations`);
  }
}

/** Every step that a process passes, once for each pass, as it is told where to die. */
async function passesOf(home: string, what: string, counts: Counts): Promise<readonly string[]> {
  const victim = await startAndKill('codex-victim', [home, what], { failpoint: '?', afterMs: 0 });
  note(victim, counts);
  const passes = new Map<string, number>();
  return victim.passed.map((step) => {
    passes.set(step, (passes.get(step) ?? 0) + 1);
    return `${step}:${passes.get(step)}`;
  });
}

async function strike(
  context: Context,
  scenario: Scenario,
  counts: Counts,
  death: string,
  limit: number,
): Promise<void> {
  const home = join(context.folder, 'home');
  const first = await die(context, scenario, counts, death);
  if (first === undefined) return;
  const seconds = isSample(context) ? everyRecovery : await passesOf(home, 'recover', counts);
  await finish(home, scenario, first.isAcknowledged, counts);
  for (const second of context.random.shuffled(seconds)) {
    if (counts.cycles >= limit || context.isTimeUp()) return;
    const again = await die(context, scenario, counts, death);
    if (again === undefined) return;
    const victim = await startAndKill('codex-victim', [home, 'recover'], { failpoint: second, afterMs: 0 });
    dead.push(victim);
    if (victim.wasKilled) counts.kills += 1;
    else note(victim, counts);
    await finish(home, scenario, again.isAcknowledged, counts);
    // A sample takes few steps of many deaths rather than all steps of the recovery from one.
    if (isSample(context)) return;
  }
}

/**
 * The first death, from the beginning each time: what it leaves cannot be copied, because a file with two names would
 * become two files, and files are known by their inodes.
 */
async function die(
  context: Context,
  scenario: Scenario,
  counts: Counts,
  death: string,
): Promise<{ readonly isAcknowledged: boolean } | undefined> {
  const home = join(context.folder, 'home');
  await restore(home, join(context.folder, 'template'));
  const victim = await startAndKill('codex-victim', [home, scenario.name], { failpoint: death, afterMs: 0 });
  dead.push(victim);
  if (!victim.wasKilled) {
    note(victim, counts);
    return undefined;
  }
  counts.kills += 1;
  return { isAcknowledged: victim.lines.includes('acknowledged') };
}

async function finish(home: string, scenario: Scenario, isAcknowledged: boolean, counts: Counts): Promise<void> {
  counts.cycles += 1;
  if (isAcknowledged) counts.acknowledged += 1;
  try {
    await check(home, scenario, isAcknowledged, counts);
  } catch (error) {
    counts.violations.push(`cycle ${counts.cycles}: ${scenario.name}: ${(error as Error).message}`);
  }
}

function note(victim: Victim, counts: Counts): void {
  if (victim.failure !== undefined) counts.violations.push(`cycle ${counts.cycles}: ${victim.failure}`);
}

/** Dead, but perhaps not gone: a git that one of them had started may still be writing. */
const dead: Victim[] = [];

async function restore(to: string, from: string): Promise<void> {
  for (const victim of dead.splice(0)) await victim.gone();
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
}

async function prepare(home: string, { before = [], meanwhile }: Scenario): Promise<void> {
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { mode: 0o700 });
  const engine = await openWork(home);
  await engine.adopt(await addNotebook(engine.codex, { name: 'notes' }));
  for (const [path, content] of Object.entries(seedTree)) {
    const request = { type: 'create', path: notebookPath(path), content: Buffer.from(content) } as const;
    await engine.run({ notebookId: NOTEBOOK, author: 'Ada', requests: [request] }, WAIT_MS);
  }
  for (const request of before) await engine.run({ notebookId: NOTEBOOK, author: 'Ada', requests: [request] }, WAIT_MS);
  await settle(engine);
  await engine.close();
  meanwhile?.(folderOf(home));
}
