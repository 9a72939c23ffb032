import { join } from 'node:path';

import type { Keyspace } from '@holdfast/keyspace';

import { compare, type Compared, type Context, type Figure, ratioFigure } from '../lib/harness.ts';
import { makeFilled, makeTask, openOurs, scattered, tasks } from './workload.ts';
import { addTask } from './transaction.ts';

/**
 * Workload: point get, scan of 100 rows and durable transaction, as in the benchmarks of these names, scattered over
 * 1,000,000 task records (3,000,000 keys). Baseline: the same on 10,000 records, which fit into SQLite's cache of 10
 * MB; the large database fits only into the operating system's cache.
 */
export async function benchmark(context: Context): Promise<readonly Figure[]> {
  const few = context.quick ? 1_000 : 10_000;
  const many = context.quick ? 5_000 : 1_000_000;
  await refuseOtherThanOurs(join(context.folder, 'checked.db'));
  const small = await openFilled(join(context.folder, 'small.db'), few);
  context.progress(`  making ${many} records …`);
  const large = await openFilled(join(context.folder, 'large.db'), many);
  const run = (operations: number, operation: (side: Side, n: number) => unknown): Promise<Compared> =>
    compare({
      operations: context.quick ? Math.ceil(operations / 40) : operations,
      rounds: context.quick ? 3 : 15,
      warmUpRounds: 4,
      ours: (n) => operation(large, n),
      baseline: (n) => operation(small, n),
    });
  const get = await run(10_000, ({ keyspace, records }, n) => keyspace.get(tasks, scattered(n, records)));
  const scan = await run(400, ({ keyspace, records }, n) =>
    keyspace.list(tasks, { sid: scattered(n, records).sid }, { limit: 100 }),
  );
  const transaction = await run(200, ({ keyspace, records }, n) =>
    addTask(keyspace, scattered(n, records).sid, makeTask(records + n)),
  );
  await small.keyspace.close();
  await large.keyspace.close();
  const baseline = `the same at ${few.toLocaleString('en')} records`;
  return [
    ratioFigure('keyspace.scale.point_get', get, baseline, 2.5),
    ratioFigure('keyspace.scale.scan_100', scan, baseline, 1.5),
    ratioFigure('keyspace.scale.transaction', transaction, baseline, 1.5),
  ];
}

interface Side {
  readonly keyspace: Keyspace;
  readonly records: number;
}

async function openFilled(path: string, records: number): Promise<Side> {
  await makeFilled(path, records);
  return { keyspace: await openOurs(path), records };
}

/** Throws unless the generated data has every index entry, number and counter that the keyspace would write. */
async function refuseOtherThanOurs(path: string): Promise<void> {
  await makeFilled(path, 1_000);
  const keyspace = await openOurs(path);
  const { problems } = await keyspace.verify();
  await keyspace.close();
  if (problems.length > 0) throw new Error(`The filled database is not sound: ${JSON.stringify(problems[0])}`);
}
