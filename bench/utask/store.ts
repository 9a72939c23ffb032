import { join } from 'node:path';
import { Limiter } from '@holdfast/base';

import { openUtask } from '../../apps/utask/src/service/open-utask.ts';
import type { Utask } from '../../apps/utask/src/index.ts';
import { NatsServer } from '../../apps/utask/test/nats.ts';
import { connect, jetstream, jetstreamManager, Kvm, type NatsConnection } from '../../apps/utask/test/raw-nats.ts';
import { compare, type Context, type Figure, ratioFigure } from '../lib/harness.ts';

/** The store on a real nats-server, compared with the fewest requests to NATS that give the same result. */
export async function storeFigures(context: Context): Promise<readonly Figure[]> {
  const server = await NatsServer.start('-sd', join(context.folder, 'nats'));
  const raw = await connect({ servers: server.url.replace('nats://', '') });
  const open = (profile: string): Promise<Utask> => openUtask({ databasePath: '', url: server.url, profile });
  try {
    const figures: Figure[] = [];
    for (const [name, measure] of [
      ['adds', adds],
      ['query', query],
      ['list', list],
      ['resolve', resolve],
    ] as const) {
      context.progress(`  ${name}`);
      const utask = await open(name);
      figures.push(await measure(context, utask, raw));
      await utask.close();
    }
    return figures;
  } finally {
    await raw.close();
    await server.stop();
  }
}

/**
 * Workload: add a task with two tags whose lists grow to a few hundred ids. Baseline: three compare-and-set puts of the
 * same size, both lists at once, with known revisions. Timed: until the task is acknowledged.
 */
async function adds(context: Context, utask: Utask, raw: NatsConnection): Promise<Figure> {
  const js = jetstream(raw);
  await new Kvm(raw).create('raw', { history: 16, allow_direct: false });
  const revisions = { a: 0, b: 0 };
  const ids: string[] = [];
  const put = async (key: string, value: string, expected: number): Promise<number> =>
    (await js.publish(`$KV.raw.${key}`, value, { expect: { lastSubjectSequence: expected } })).seq;
  const compared = await compare({
    operations: context.quick ? 10 : 40,
    rounds: context.quick ? 3 : 10,
    warmUpRounds: 1,
    ours: (n) => utask.add(`task ${n}`, ['a', 'b']),
    async baseline(n) {
      const id = n.toString(16).padStart(128, '0');
      ids.push(id);
      const lines = ids.join('\n');
      [revisions.a, revisions.b] = await Promise.all([put('a', lines, revisions.a), put('b', lines, revisions.b)]);
      const task = { id, text: `task ${n}`, done: false, tags: ['a', 'b'], created: new Date().toISOString() };
      await put(`task.${id}`, JSON.stringify(task), 0);
    },
  });
  const { ratio, oursMicros, baselineMicros } = compared;
  const baseline = `three raw puts: ${(1e6 / baselineMicros).toFixed(0)}/s (ours ${(1e6 / oursMicros).toFixed(0)}/s)`;
  return { name: 'utask.adds_two_tags', value: 1 / ratio, unit: '×', baseline, goal: 0.3, better: 'higher' };
}

/** Workload: the 500 tasks of one tag among 50,000. Baseline: get each by its key, 128 at a time, and parse it. */
async function query(context: Context, utask: Utask, raw: NatsConnection): Promise<Figure> {
  const total = context.quick ? 2_000 : 50_000;
  await addMany(utask, total, (n) => (n % 100 === 0 ? ['rare'] : []));
  const keys = (await utask.query({ any: ['rare'] })).map(({ id }) => id);
  const jsm = await jetstreamManager(raw, { checkAPI: false });
  const limiter = new Limiter(128);
  const fetchOne = async (key: string): Promise<void> => {
    const subject = `$KV.utask_tasks_query.${key}`;
    const message = await jsm.streams.getMessage('KV_utask_tasks_query', { last_by_subj: subject });
    JSON.parse(message?.string() ?? '');
  };
  const compared = await compare({
    operations: 1,
    rounds: context.quick ? 3 : 15,
    warmUpRounds: 2,
    ours: () => utask.query({ any: ['rare'] }),
    baseline: () => Promise.all(keys.map((key) => limiter.run(() => fetchOne(key)))),
  });
  return ratioFigure('utask.query_one_tag', compared, `${keys.length} gets by key among ${total}`, 1.5);
}

/** Workload: list 10,000 tasks. Baseline: one watch of the bucket with NATS' KV client, each value parsed. */
async function list(context: Context, utask: Utask, raw: NatsConnection): Promise<Figure> {
  const total = context.quick ? 1_000 : 10_000;
  await addMany(utask, total, () => []);
  const bucket = await new Kvm(raw).open('utask_tasks_list');
  const compared = await compare({
    operations: 1,
    rounds: context.quick ? 3 : 15,
    warmUpRounds: 2,
    ours: () => utask.query(),
    async baseline() {
      let count = 0;
      for await (const entry of await bucket.watch()) {
        entry.json();
        count += 1;
        if (entry.isUpdate) break;
      }
      if (count !== total) throw new Error(`The watch saw ${count} of ${total}`);
    },
  });
  return ratioFigure('utask.list_all', compared, `one raw watch of ${total}`, 1.3);
}

/** Workload: find a task by its whole id. Baseline: one get of the key. */
async function resolve(context: Context, utask: Utask, raw: NatsConnection): Promise<Figure> {
  const { id } = await utask.add('one');
  const jsm = await jetstreamManager(raw, { checkAPI: false });
  const compared = await compare({
    operations: 50,
    rounds: context.quick ? 3 : 15,
    warmUpRounds: 2,
    ours: () => utask.get(id),
    baseline: () => jsm.streams.getMessage('KV_utask_tasks_resolve', { last_by_subj: `$KV.utask_tasks_resolve.${id}` }),
  });
  return ratioFigure('utask.get_by_full_id', compared, 'one raw get', 1.3);
}

async function addMany(utask: Utask, total: number, tagsOf: (n: number) => readonly string[]): Promise<void> {
  const limiter = new Limiter(200);
  await Promise.all(Array.from({ length: total }, (_, n) => limiter.run(() => utask.add(`task ${n}`, tagsOf(n)))));
}
