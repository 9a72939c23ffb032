import { join } from 'node:path';

import type { Keyspace } from '@holdfast/keyspace';

import { compare, type Context, type Figure, ratioFigure } from '../lib/harness.ts';
import { ByHand } from './by-hand.ts';
import {
  counts,
  events,
  makeEvent,
  makeTask,
  metas,
  openOurs,
  sidOf,
  type Synchronous,
  tasks,
  type TaskValue,
} from './workload.ts';

/**
 * Workload: add a task to one of 100 sessions: record, index entry, changed meta record, numbered log entry, counter
 * and journal row. Baseline: the same rows between BEGIN IMMEDIATE and COMMIT. Timed: from the call until the commit is
 * acknowledged, one transaction after the other, with prepared tasks. Afterwards both databases must be equal, key for
 * key and journal row for journal row.
 */
export async function benchmark(context: Context): Promise<readonly Figure[]> {
  return [
    await measure(context, 'FULL', 'keyspace.transaction', 1.6),
    await measure(context, 'OFF', 'keyspace.transaction_off', 3),
  ];
}

const SESSIONS = 100;

async function measure(context: Context, synchronous: Synchronous, name: string, goal: number): Promise<Figure> {
  const ours = await openOurs(join(context.folder, `${name}-ours.db`), synchronous);
  const handPath = join(context.folder, `${name}-hand.db`);
  // Holdfast creates the tables, so that both sides have the same tables.
  await (await openOurs(handPath)).close();
  const byHand = new ByHand(handPath, synchronous);
  const operations = context.quick ? 50 : synchronous === 'FULL' ? 300 : 1_000;
  const rounds = context.quick ? 7 : 15;
  const warmUpRounds = 4;
  const made = Array.from({ length: operations * (rounds + warmUpRounds) }, (_, index) => makeTask(index));
  const taskAt = (index: number): TaskValue => made[index] as TaskValue;
  const compared = await compare({
    operations,
    rounds,
    warmUpRounds,
    ours: (index) => addTask(ours, sidOf(index % SESSIONS), taskAt(index)),
    baseline: (index) => byHand.addTask(sidOf(index % SESSIONS), taskAt(index)),
  });
  await refuseDifference(ours, byHand);
  await ours.close();
  byHand.close();
  return ratioFigure(name, compared, `the same rows by hand, synchronous=${synchronous}`, goal);
}

export function addTask(keyspace: Keyspace, sid: string, task: TaskValue): Promise<void> {
  return keyspace.transact(async (transaction) => {
    const meta = await transaction.get(metas, { sid });
    const changed = { sid, state: 'active' as const, dir_hash: sid, ...meta, last_updated_at: task.updated_at };
    await transaction.put(tasks, { sid, id: task.id }, task);
    await transaction.put(metas, { sid }, changed);
    transaction.append(events, { sid }, (seq) => makeEvent(seq, task));
    transaction.add(counts, { sid }, 1);
  });
}

/** Throws if the two sides wrote different data, because the comparison would be invalid. */
async function refuseDifference(ours: Keyspace, byHand: ByHand): Promise<void> {
  const everything = { gte: '', lt: '\u{10ffff}', limit: 2 ** 31 - 1, reverse: false };
  const stored = JSON.stringify(await ours.engine.range(everything));
  if (stored !== JSON.stringify(byHand.keys())) throw new Error('The two sides stored different keys');
  const commits = await ours.engine.changes(0, 2 ** 31 - 1);
  const journal = commits.map(({ changes }) => changes.map(({ key, before, after }) => [key, before ?? null, after]));
  const journalByHand = byHand.journal();
  if (JSON.stringify(journal) !== JSON.stringify(journalByHand))
    throw new Error('The two sides kept different journals');
}
