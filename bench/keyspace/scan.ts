import { join } from 'node:path';

import { compare, type Context, type Figure, ratioFigure } from '../lib/harness.ts';
import { ByHand } from './by-hand.ts';
import { makeFilled, openOurs, scattered, tasks } from './workload.ts';

const ROWS = 100;

/**
 * Workload: list the 100 tasks of a session, scattered over 10,000 records of one file. Baseline: one prepared SELECT
 * over the key range, and JSON.parse of each row. Timed: from the session's name to the decoded values; ours also
 * validates them.
 */
export async function benchmark(context: Context): Promise<readonly Figure[]> {
  const records = 10_000;
  const path = join(context.folder, 'scan.db');
  await makeFilled(path, records);
  const ours = await openOurs(path);
  const byHand = new ByHand(path, 'FULL');
  const compared = await compare({
    operations: context.quick ? 50 : 500,
    rounds: context.quick ? 7 : 15,
    warmUpRounds: 4,
    ours: (operation) => ours.list(tasks, { sid: scattered(operation, records).sid }, { limit: ROWS }),
    baseline: (operation) => byHand.listTasks(scattered(operation, records).sid, ROWS),
  });
  await ours.close();
  byHand.close();
  return [ratioFigure('keyspace.scan_100', compared, 'SELECT over the key range and JSON.parse', 1.3)];
}
