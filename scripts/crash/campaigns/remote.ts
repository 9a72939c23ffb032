import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { MINUTE, SECOND } from '@holdfast/base';

import type { Random } from '../../../packages/sqlite/test/random.ts';
import { type Campaign, type Context, type Counts, noCounts, violate } from '../lib/campaign.ts';
import { Fleet, machineFailpoints, type Member, serverFailpoints } from '../lib/fleet.ts';
import { checkNight } from '../lib/night-check.ts';
import { NightPeople } from '../lib/night-people.ts';
import { type AgentCharacter, NightProject, settingsWith, statusOf, unfinished } from '../lib/night-project.ts';

/**
 * Ten machines with their own homes work on dependent tasks from one server, through a bare git repository. The
 * campaign kills machines and the server at random, and starts them again at once or after their leases have expired. A
 * cycle is a task; there is one kill for every two tasks. The checks and the kinds of violation are those of the
 * campaign `night`.
 */
export const remote: Campaign = {
  name: 'remote',
  promise: 'machines that work for a server lose no work and never run a task twice at once, whichever side is killed',
  cycles: 100,
  failpoints: [...serverFailpoints, ...machineFailpoints],
  run: (context) => runFleet(context),
  canary: (context) => runFleet(context, freezeUntilOverlap),
};

const MACHINES = 10;
const CHARACTERS: readonly AgentCharacter[] = ['honest', 'honest', 'honest', 'crash', 'children'];
const TASKS_PER_KILL = 2;
const RUN_MAX = 40 * MINUTE;
const STUCK_AFTER = MINUTE;
const LOOK_EVERY_MS = 200;
/** Longest time between two kills. */
const WORK_MAX = 6 * SECOND;
/** Longer than a lease, so that another machine gets the tasks of some killed machines. */
const ABSENCE_MAX = 7 * SECOND;

async function runFleet(
  context: Context,
  sabotage?: (fleet: Fleet, project: NightProject) => Promise<void>,
): Promise<Counts> {
  const { random, cycles } = context;
  const counts = noCounts();
  counts.cycles = cycles;
  const project = new NightProject(context.folder, cycles, random, (records) =>
    settingsWith(records, [], 'auto_merge = true'),
  );
  await project.create();
  const characters = sabotage === undefined ? CHARACTERS : (['slow'] as const);
  const workers = Array.from({ length: MACHINES }, (_, at) => [characters[at % characters.length] ?? 'honest']);
  const fleet = new Fleet(project, context.folder, workers);
  try {
    const people = new NightPeople(project, random);
    const end = Date.now() + RUN_MAX;
    const isTimeUp = (): boolean => context.isTimeUp() || Date.now() > end;
    await fleet.server.start();
    if (sabotage === undefined) for (const machine of fleet.machines) await machine.start();
    else await sabotage(fleet, project);
    const kills = Math.max(1, Math.round(cycles / TASKS_PER_KILL));
    const absent = new Map<Member, number>();
    while (counts.kills < kills && !isTimeUp()) {
      await letWork(project, random, async () => {
        await people.act();
        await startAgain(fleet, absent, random);
      });
      if (await killOne(fleet, random)) counts.kills += 1;
      if (counts.kills % 10 === 0) context.progress(`${counts.kills} of ${kills} kills, ${statusOf(project)}`);
    }
    const isOver = await workToTheEnd(fleet, project, people, isTimeUp);
    if (!isOver) violate(counts, 'partial', `the work did not end: ${unfinished(project).join(', ')}`);
    for (const machine of fleet.machines) await machine.stop('SIGINT');
    await fleet.server.stop('SIGINT');
    await people.mergeByHand();
    for (const refusal of people.refusals) violate(counts, 'partial', refusal);
    await checkNight(project, counts);
    fleet.check(counts);
    context.progress(statusOf(project));
    if (counts.violations.length > 0) {
      context.progress(readFileSync(join(project.records, 'run.log'), 'utf8').slice(-20_000));
    }
    return counts;
  } finally {
    for (const member of fleet.all) {
      member.signal('SIGCONT');
      await member.stop('SIGKILL');
    }
    project.close();
  }
}

/** Waits until some agents have started, but not too long: without machines, none starts. */
async function letWork(project: NightProject, random: Random, look: () => Promise<void>): Promise<void> {
  const wanted = project.agentRecords().length + random.below(3 * TASKS_PER_KILL);
  const end = Date.now() + WORK_MAX;
  do {
    await look();
    await pause(LOOK_EVERY_MS);
  } while (project.agentRecords().length < wanted && Date.now() < end);
  await pause(1_000 * random.next());
}

/** Kills one running process. A process that was started with a failpoint kills itself there. */
async function killOne({ all }: Fleet, random: Random): Promise<boolean> {
  const running = all.filter((member) => member.isRunning());
  // The server is killed more often than each of the machines.
  const [server] = all;
  const victim = random.next() < 0.25 && server?.isRunning() === true ? server : random.of(running);
  if (victim === undefined) return false;
  await victim.stop('SIGKILL');
  return true;
}

/** Starts the server at once, and machines after a random time. A third of them will die at a failpoint. */
async function startAgain({ server, machines }: Fleet, absent: Map<Member, number>, random: Random): Promise<void> {
  const failpointOf = ({ failpoints }: Member): string | undefined =>
    random.next() < 1 / 3 ? `${random.of(failpoints)}:${1 + random.below(3)}` : undefined;
  if (!server.isRunning()) await server.start(failpointOf(server));
  for (const machine of machines.filter((one) => !one.isRunning())) {
    const until = absent.get(machine) ?? Date.now() + (random.next() < 0.5 ? 0 : ABSENCE_MAX * random.next());
    absent.set(machine, until);
    if (Date.now() < until) continue;
    absent.delete(machine);
    await machine.start(failpointOf(machine));
  }
}

/** Starts everything without failpoints; returns whether all work that can end has ended. */
async function workToTheEnd(
  { all }: Fleet,
  project: NightProject,
  people: NightPeople,
  isTimeUp: () => boolean,
): Promise<boolean> {
  for (const member of all) {
    await member.stop('SIGKILL');
    await member.start();
  }
  let [events, movedAt] = [-1, Date.now()];
  while (!isTimeUp() && Date.now() - movedAt < STUCK_AFTER) {
    await people.act();
    if (unfinished(project).length === 0 && people.isDone()) return true;
    const [{ n } = { n: 0 }] = project.rows<{ n: number }>('SELECT count(*) AS n FROM events');
    if (n !== events) [events, movedAt] = [n, Date.now()];
    await pause(LOOK_EVERY_MS);
  }
  return false;
}

/**
 * Freezes supervisors while their agents work. A frozen supervisor cannot stop its agent when its lease expires, so
 * another machine begins the same task while the agent still runs. The checks must find this.
 */
async function freezeUntilOverlap({ machines }: Fleet, project: NightProject): Promise<void> {
  const end = Date.now() + MINUTE;
  const until = async (wanted: string): Promise<void> => {
    while (!project.agentRecords().some(({ event }) => event === wanted) && Date.now() < end)
      await pause(LOOK_EVERY_MS);
  };
  const [frozen, others] = [machines.slice(0, MACHINES / 2), machines.slice(MACHINES / 2)];
  for (const machine of frozen) await machine.start();
  await until('start');
  for (const machine of frozen) machine.signal('SIGSTOP');
  for (const machine of others) await machine.start();
  await until('overlap');
  for (const machine of frozen) machine.signal('SIGCONT');
}
