import { delay } from '@holdfast/base';
import { postgresEngine } from '@holdfast/postgres';

import type { Random } from '../../../packages/sqlite/test/random.ts';
import { type Campaign, type Context, type Counts, noCounts } from '../lib/campaign.ts';
import { checkCycle, checkWatch, type FailoverOperation, type WatchedCommits } from '../lib/failover-check.ts';
import { type Cluster, ScriptedCluster } from '../lib/failover-cluster.ts';
import { PatroniCluster } from '../lib/patroni-cluster.ts';
import { Victim } from '../lib/victim.ts';

/**
 * Six clients in three processes use a primary with a synchronous standby. Each cycle disturbs the primary, promotes
 * the standby, and lets the old primary come back. `checkCycle` in failover-check.ts defines the violations.
 *
 * - kill: the primary is killed, sometimes after its standby fell behind
 * - freeze: the primary stops, and continues after the standby was promoted, as if nothing had happened
 * - partition: the primary loses its network to the clients, to its standby or to both, and gets it back later
 */
export const failover: Campaign = {
  name: 'failover',
  promise: 'after a failover of PostgreSQL, no acknowledged commit is lost, none is made twice, and no answer is stale',
  cycles: 300,
  failpoints: [],
  run: async (context) => runCampaign(context, await ScriptedCluster.start(true)),
  // Replication is asynchronous, so some acknowledged commits exist only on the primary and are lost when it is killed.
  canary: async (context) => runCampaign(context, await ScriptedCluster.start(false)),
};

/** The same with three servers and Patroni, which decides when to promote a standby. */
export const failoverPatroni: Campaign = {
  ...failover,
  name: 'failover-patroni',
  run: async (context) => runCampaign(context, await PatroniCluster.start(true)),
  canary: async (context) => runCampaign(context, await PatroniCluster.start(false)),
};

const PROCESSES = 3;
const kinds = ['kill', 'freeze', 'partition'] as const;

/**
 * Shortest time from the primary's last answer to the failover. Clients trust a silent server for a shorter time than
 * this.
 */
const DETECT_MS = 2_000;

async function runCampaign(context: Context, cluster: Cluster): Promise<Counts> {
  const counts = noCounts();
  const clients: Victim[] = [];
  const pauses: number[] = [];
  try {
    const chosen = context.parts === undefined ? kinds : kinds.filter((kind) => context.parts!.includes(kind));
    for (const name of 'abc'.slice(0, PROCESSES)) clients.push(new Victim('failover-client', [cluster.address, name]));
    await allSay(clients, 'ready');
    while (counts.cycles < context.cycles && !context.isTimeUp()) {
      const kind = chosen[counts.cycles % chosen.length]!;
      counts.cycles += 1;
      pauses.push(await runCycle(cluster, clients, kind, context, counts));
    }
    pauses.sort((left, right) => left - right);
    const median = pauses[Math.floor(pauses.length / 2)] ?? 0;
    context.progress(`client pauses: median ${seconds(median)}, longest ${seconds(pauses.at(-1) ?? 0)}`);
    return counts;
  } finally {
    await Promise.all(clients.map((client) => client.kill()));
    await cluster.stop();
  }
}

async function runCycle(
  cluster: Cluster,
  clients: readonly Victim[],
  kind: (typeof kinds)[number],
  context: Context,
  counts: Counts,
): Promise<number> {
  const { random } = context;
  const before = await revisionOf(cluster);
  const marks = clients.map(({ lines }) => lines.length);
  for (const client of clients) client.say(`go ${counts.cycles}`);
  await delay(300 + random.below(500));
  const what = await faults[kind](cluster, random, counts);
  await delay(500);
  for (const client of clients) client.say('stop');
  await allSay(clients, 'stopped');
  await cluster.rejoin();
  const printed = clients.flatMap(({ lines }, index) =>
    lines.slice(marks[index]).map((line) => JSON.parse(line) as FailoverOperation | WatchedCommits),
  );
  for (const one of printed) if (one.kind === 'watch') checkWatch(one, counts);
  const operations = printed.filter((one) => one.kind !== 'watch');
  const engine = await postgresEngine({ address: cluster.address, space: 'failover' });
  try {
    checkCycle(counts.cycles, operations, await engine.changes(before, 2 ** 31 - 1), counts);
  } finally {
    await engine.close();
  }
  const pause = longestPause(operations);
  const doubts = operations.filter(({ returned, error }) => returned === null && error === undefined).length;
  context.progress(
    `cycle ${counts.cycles}: ${what}; ${operations.length} operations, ${doubts} in doubt, pause ${seconds(pause)}`,
  );
  return pause;
}

const faults: Readonly<
  Record<(typeof kinds)[number], (cluster: Cluster, random: Random, counts: Counts) => Promise<string>>
> = {
  async kill(cluster, random, counts) {
    const { server, link } = cluster.primary;
    const lag = random.next() < 0.5 ? 0 : 100 + random.below(300);
    if (lag > 0) link.hold();
    await delay(lag);
    server.signal('SIGKILL');
    counts.kills += 1;
    link.cut();
    await delay(DETECT_MS);
    await cluster.promote();
    link.release();
    return `killed, standby ${lag} ms behind`;
  },

  async freeze(cluster, random, counts) {
    const { server } = cluster.primary;
    server.signal('SIGSTOP');
    counts.kills += 1;
    await delay(DETECT_MS);
    await cluster.promote();
    const longer = random.below(1_500);
    await delay(longer);
    server.signal('SIGCONT');
    await delay(800);
    return `frozen until ${longer} ms after the promotion`;
  },

  async partition(cluster, random, counts) {
    const { front, link } = cluster.primary;
    const choice = random.of(['both', 'both', 'clients', 'standby'] as const);
    if (choice !== 'standby') front.hold();
    if (choice !== 'clients') link.hold();
    counts.kills += 1;
    await delay(DETECT_MS);
    if (choice === 'both') await cluster.promote();
    await delay(random.below(1_500));
    front.release();
    link.release();
    await delay(800);
    return `partition: ${choice}`;
  },
};

async function allSay(clients: readonly Victim[], line: string): Promise<void> {
  for (const client of clients) {
    if (!(await client.said(line))) throw new Error(`A client ended: ${client.failure ?? 'killed'}`);
  }
}

async function revisionOf(cluster: Cluster): Promise<number> {
  const [row] = await cluster.primary.server.run('SELECT revision::int FROM holdfast_space');
  return row?.[0] as number;
}

/** Returns the longest time in milliseconds in which one client got no answer. */
function longestPause(operations: readonly FailoverOperation[]): number {
  const last = new Map<string, number>();
  let longest = 0;
  for (const { client, called, returned } of operations) {
    if (returned === null) continue;
    longest = Math.max(longest, returned - (last.get(client) ?? called));
    last.set(client, returned);
  }
  return longest;
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;
