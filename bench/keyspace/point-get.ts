import { join } from 'node:path';

import { compare, type Context, type Figure, ratioFigure } from '../lib/harness.ts';
import { ByHand } from './by-hand.ts';
import { makeFilled, openOurs, scattered, tasks } from './workload.ts';

/**
 * Workload: read one task by its key, scattered over 10,000 cached records of one file. Baseline: one prepared SELECT
 * by a concatenated key, and JSON.parse. Timed: from the key's parts to the decoded value; ours also validates it.
 */
export async function benchmark(context: Context): Promise<readonly Figure[]> {
  const records = 10_000;
  const path = join(context.folder, 'point-get.db');
  await makeFilled(path, records);
  const ours = await openOurs(path);
  const byHand = new ByHand(path, 'FULL');
  const compared = await compare({
    operations: context.quick ? 500 : 20_000,
    rounds: context.quick ? 7 : 15,
    warmUpRounds: 4,
    ours: (operation) => ours.get(tasks, scattered(operation, records)),
    baseline: (operation) => {
      const { sid, id } = scattered(operation, records);
      return byHand.getTask(sid, id);
    },
  });
  await ours.close();
  byHand.close();
  return [ratioFigure('keyspace.point_get', compared, 'SELECT by key and JSON.parse', 1.5)];
}
