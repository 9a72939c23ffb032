import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { NatsServer } from '../../../apps/utask/test/nats.ts';
import { type Campaign, type Context, type Counts, noCounts, violate } from '../lib/campaign.ts';
import { findViolation, type Operation } from '../lib/linearizability.ts';
import {
  type OpenedSubject,
  type SubjectLocation,
  type Subject,
  subjects,
  type Value,
} from '../lib/linear-subjects.ts';
import { Victim } from '../lib/victim.ts';

/**
 * Six processes use one stored object. A cycle is one object: some processes are killed, and others are stopped for a
 * moment. Their answers must be linearizable: there must be one order of all operations that explains every answer, in
 * which each operation happens between its call and its answer. A part is a kind of object.
 *
 * - phantom: no such order exists
 * - partial: a process failed without being killed
 */
export const linearizability: Campaign = {
  name: 'linearizability',
  promise: 'concurrent processes see one history, even if some are killed or stopped',
  cycles: subjects.length * 50,
  failpoints: [],
  run: (context) => runAll(context, false),
  canary: (context) => runAll(context, true),
};

export interface Round {
  readonly key: string;
  readonly operations: number;
  readonly seed: number;
  readonly isLiar: boolean;
}

const CLIENTS = 6;
const OPERATIONS = 20;
const KILLED = 0.25;
const STOPPED = 0.25;
const FAULT_WITHIN_MS = 150;
const STOPPED_MS = 200;

async function runAll(context: Context, withLiars: boolean): Promise<Counts> {
  const counts = noCounts();
  const chosen = subjects.filter(({ name }) => context.parts?.includes(name) ?? true);
  const nats = chosen.some(({ name }) => name.startsWith('nats')) ? await NatsServer.start() : undefined;
  try {
    for (const [index, subject] of chosen.entries()) {
      const cycles = Math.floor(((index + 1) * context.cycles) / chosen.length) - counts.cycles;
      const home = join(context.folder, subject.name);
      mkdirSync(home, { mode: 0o700 });
      await runSubject({ ...context, cycles }, subject, { home, natsUrl: nats?.url ?? '' }, withLiars, counts);
      context.progress(`${subject.name}: ${counts.cycles} cycles, ${counts.acknowledged} answers`);
    }
  } finally {
    await nats?.stop();
  }
  return counts;
}

async function runSubject(
  context: Context,
  subject: Subject,
  place: SubjectLocation,
  withLiars: boolean,
  counts: Counts,
): Promise<void> {
  await subject.prepare(place);
  const clients: (Victim | undefined)[] = [];
  const own = await subject.open(place);
  try {
    for (let cycle = 0; cycle < context.cycles && !context.isTimeUp(); cycle++) {
      counts.cycles += 1;
      const fresh = Array.from({ length: CLIENTS }, (_, n) => n).filter((n) => clients[n] === undefined);
      for (const n of fresh) clients[n] = new Victim('linear-client', [subject.name, JSON.stringify(place), `c${n}`]);
      await Promise.all(fresh.map(async (n) => clients[n]?.said('ready')));
      await runCycle(context, { subject, own, clients, withLiars, key: `k${cycle}` }, counts);
    }
  } finally {
    await Promise.all(clients.map(async (client) => client?.kill()));
    await own.close();
  }
}

interface Cycle {
  readonly subject: Subject;
  readonly own: OpenedSubject;
  readonly clients: (Victim | undefined)[];
  readonly withLiars: boolean;
  readonly key: string;
}

async function runCycle(context: Context, cycle: Cycle, counts: Counts): Promise<void> {
  const { random } = context;
  const { own, clients, withLiars, key, subject } = cycle;
  await own.create(key);
  const starts = clients.map((client) => client?.lines.length ?? 0);
  await Promise.all(
    clients.map(async (client, n) => {
      if (client === undefined) return;
      const isLiar = withLiars && n === 0;
      client.say(JSON.stringify({ key, operations: OPERATIONS, seed: random.below(2 ** 31), isLiar } satisfies Round));
      const fault = isLiar ? 1 : random.next();
      const pause = random.below(FAULT_WITHIN_MS);
      if (fault < KILLED + STOPPED) await new Promise((resolve) => setTimeout(resolve, pause));
      if (fault < KILLED) {
        await client.kill();
        counts.kills += 1;
      } else if (fault < KILLED + STOPPED) await client.stop(STOPPED_MS);
      await client.said(`done ${key}`);
    }),
  );
  const history = clients.flatMap((client, n) => historyOf(client?.lines.slice(starts[n]) ?? []));
  counts.acknowledged += history.filter(({ output }) => output !== undefined).length;
  const stuck = findViolation(subject.model, history);
  if (stuck !== undefined) violate(counts, 'phantom', `${subject.name} ${key}: ${JSON.stringify(stuck)}`);
  for (const [n, client] of clients.entries()) {
    if (client?.isOver !== true) continue;
    if (client.failure !== undefined) violate(counts, 'partial', `${subject.name}: ${client.failure}`);
    clients[n] = undefined;
  }
}

/** Pairs calls with answers. A call without an answer may have taken effect at any later moment, or never. */
function historyOf(lines: readonly string[]): Operation<Value, Value>[] {
  const returns = new Map<string, { readonly at: number; readonly output: Value }>();
  for (const line of lines) {
    const [, id, at, output] = /^return (\S+) (\d+) (.*)$/u.exec(line) ?? [];
    if (id !== undefined) returns.set(id, { at: Number(at), output: JSON.parse(output!) as Value });
  }
  return lines.flatMap((line) => {
    const [, id, at, input] = /^call (\S+) (\d+) (.*)$/u.exec(line) ?? [];
    if (id === undefined) return [];
    const answer = returns.get(id);
    const [client = ''] = id.split('.');
    const timed = { client, called: Number(at), returned: answer?.at ?? Infinity };
    return [{ ...timed, input: JSON.parse(input!) as Value, output: answer?.output }];
  });
}
