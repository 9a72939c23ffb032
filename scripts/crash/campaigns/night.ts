import type { ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { MINUTE, SECOND } from '@holdfast/base';

import type { Random } from '../../../packages/sqlite/test/random.ts';
import { type Campaign, type Context, type Counts, noCounts, violate } from '../lib/campaign.ts';
import { checkNight } from '../lib/night-check.ts';
import { NightPeople } from '../lib/night-people.ts';
import { NightProject, statusOf, unfinished } from '../lib/night-project.ts';

/**
 * Runs dependent tasks in a git repository with eight workers, most of which misbehave, and kills the supervisor again
 * and again. A cycle is a task; there is one kill for every four tasks.
 *
 * - lost: a task is neither merged nor waiting for a person, its work is missing from the branch, or a dependent task
 *   started without its work
 * - phantom: a task is done without a change, its work is on the branch although it is not done, or a worker ran twice
 * - partial: the branch does not build, or processes, worktrees, branches or damage are left
 */
export const night: Campaign = {
  name: 'night',
  promise: 'after a night of bad workers and kills, every task is merged or waits for a decision',
  cycles: 200,
  failpoints: [
    'ringmaster.run.claimed',
    'ringmaster.run.worktree',
    'ringmaster.run.spawned',
    'ringmaster.run.worked',
    'ringmaster.run.committed',
    'ringmaster.run.finished',
    'ringmaster.run.renamed',
    'ringmaster.run.removed',
    'ringmaster.merge.moved',
    'ringmaster.merge.recorded',
  ],
  run: (context) => runNight(context),
  canary: (context) => runNight(context, plantLies),
};

const TASKS_PER_KILL = 4;
const NIGHT_MAX = 40 * MINUTE;
/** If the database does not change for this long, the night counts as stuck. */
const STUCK_AFTER = MINUTE;
const LOOK_EVERY_MS = 300;

async function runNight(context: Context, plant?: (project: NightProject) => Promise<void>): Promise<Counts> {
  const { random, cycles } = context;
  const counts = noCounts();
  counts.cycles = cycles;
  const project = new NightProject(context.folder, cycles, random);
  try {
    await project.create();
    const people = new NightPeople(project, random);
    const end = Date.now() + NIGHT_MAX;
    const isTimeUp = (): boolean => context.isTimeUp() || Date.now() > end;
    const kills = Math.max(1, Math.round(cycles / TASKS_PER_KILL));
    for (let kill = 0; kill < kills && !isTimeUp(); kill++) {
      await superviseAndKill(project, people, random);
      counts.kills += 1;
      if (counts.kills % 5 === 0) context.progress(`${counts.kills} of ${kills} kills, ${statusOf(project)}`);
      await people.mergeByHand();
    }
    const isOver = await superviseToTheEnd(project, people, isTimeUp);
    if (!isOver) violate(counts, 'partial', `the work did not end: ${unfinished(project).join(', ')}`);
    await plant?.(project);
    for (const refusal of people.refusals) violate(counts, 'partial', refusal);
    await checkNight(project, counts);
    context.progress(statusOf(project));
    if (counts.violations.length > 0)
      context.progress(readFileSync(join(project.records, 'run.log'), 'utf8').slice(-20_000));
    return counts;
  } finally {
    project.close();
  }
}

/** Kills the supervisor at a step, or at a random moment after it has started some workers. */
async function superviseAndKill(project: NightProject, people: NightPeople, random: Random): Promise<void> {
  const isAtStep = random.next() < 1 / 3;
  const failpoint = isAtStep ? `${random.of(night.failpoints)}:${1 + random.below(4)}` : undefined;
  const supervisor = project.supervise(failpoint);
  const ended = endOf(supervisor);
  const startsWanted = project.agentRecords().length + 1 + random.below(3 * TASKS_PER_KILL);
  const deadline = Date.now() + (isAtStep ? 10 : 6) * SECOND;
  while (supervisor.exitCode === null && supervisor.signalCode === null && Date.now() < deadline) {
    await people.act();
    if (!isAtStep && project.agentRecords().length >= startsWanted) break;
    if (isIdle(project) && people.isDone()) break;
    await Promise.race([ended, pause(LOOK_EVERY_MS * random.next())]);
  }
  await pause(300 * random.next());
  supervisor.kill('SIGKILL');
  await ended;
}

/** Returns whether all work that can end has ended. Work that people merge by hand needs another run. */
async function superviseToTheEnd(
  project: NightProject,
  people: NightPeople,
  isTimeUp: () => boolean,
): Promise<boolean> {
  while (!isTimeUp()) {
    const supervisor = project.supervise(undefined);
    const ended = endOf(supervisor);
    let [events, movedAt] = [-1, Date.now()];
    while (supervisor.exitCode === null && !isTimeUp() && !isIdle(project)) {
      await people.act();
      const [{ n } = { n: 0 }] = project.rows<{ n: number }>('SELECT count(*) AS n FROM events');
      if (n !== events) [events, movedAt] = [n, Date.now()];
      if (Date.now() - movedAt > STUCK_AFTER) return stop(supervisor, ended);
      await pause(LOOK_EVERY_MS);
    }
    await stop(supervisor, ended);
    await people.act();
    await people.mergeByHand();
    if (isIdle(project) && people.isDone()) return true;
  }
  return false;
}

async function stop(supervisor: ChildProcess, ended: Promise<void>): Promise<false> {
  supervisor.kill('SIGINT');
  await Promise.race([ended, pause(MINUTE, undefined, { ref: false })]);
  supervisor.kill('SIGKILL');
  await ended;
  return false;
}

function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once('close', () => resolve()));
}

/** Returns whether no task is running or can start, no merge is pending, and no worktree is left. */
function isIdle(project: NightProject): boolean {
  return unfinished(project).length === 0;
}

/** Removes the work of one task from the branch, and marks another task as done although nobody did it. */
async function plantLies(project: NightProject): Promise<void> {
  const file = project.git('ls-files', 'work').split('\n').at(-1)!;
  const id = /work\/(.+)\.mjs/u.exec(file)![1]!;
  const manifest = join(project.folder, 'manifest.txt');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(`${id}: done`, `${id}: open`));
  project.git('rm', '-q', file);
  project.git('commit', '-qam', 'a planted lie');
  // Uses commands instead of SQL, because doctor rightly reports a change that the journal does not have.
  await project.ringmaster('task', 'add', 'A planted lie', '--id', 'bd-lie');
  await project.ringmaster('task', 'done', 'bd-lie');
}
