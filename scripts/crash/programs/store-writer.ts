/**
 * Runs transactions, several at a time, until it is killed. Writes "s LANE N" to its file before each transaction, and
 * "a LANE N REVISION" after it is acknowledged. Reads one line with a Task, prints "ready" when the database is open,
 * and obeys "pause" and "go on".
 */
import { openSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

import { openKeyspace, sqliteEngine } from '@holdfast/keyspace';

import { Random } from '../../../packages/sqlite/test/random.ts';
import { contested, entries, orders, storeSchema, type Task, total } from '../lib/store.ts';

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const task = JSON.parse((await lines.next()).value as string) as Task;
const random = new Random(task.seed);
const told = openSync(task.toldFile, 'a');
const keyspace = await openKeyspace({ engine: await sqliteEngine({ path: task.database }), schema: storeSchema });

const busy = new Set<number>();
let goOn: Promise<void> = Promise.resolve();

function doNothing(): void {}

async function transact(lane: number, n: number): Promise<void> {
  const id = `${task.name}.${lane}.${n}`;
  const contended = random.next() < 0.2;
  const padding = 'x'.repeat(random.below(1_500));
  writeSync(told, `s ${lane} ${n}\n`);
  if (task.isLiar) writeSync(told, `a ${lane} ${n} 0\n`);
  const { revision } = await keyspace.transactWithRevision(async (transaction) => {
    await transaction.put(orders, { id }, { id, writer: task.name, contended, padding });
    if (contended) {
      const { count } = (await transaction.get(contested, {})) ?? { count: 0 };
      await transaction.put(contested, {}, { count: count + 1 });
    }
    transaction.append(entries, {}, () => ({ id }));
    transaction.add(total, {}, 1);
  });
  if (!task.isLiar) writeSync(told, `a ${lane} ${n} ${revision}\n`);
}

async function work(lane: number, first: number): Promise<never> {
  for (let n = first; ; n++) {
    await goOn;
    busy.add(lane);
    await transact(lane, n);
    busy.delete(lane);
  }
}

process.stdout.write('ready\n');
for (const [lane, first] of task.firstNumbers.entries()) void work(lane, first);

for (;;) {
  const { value, done } = await lines.next();
  if (done === true) process.exit();
  if (value !== 'pause') continue;
  let resume = doNothing;
  goOn = new Promise((resolve) => (resume = resolve));
  while (busy.size > 0) await new Promise((resolve) => setTimeout(resolve, 1));
  process.stdout.write('paused\n');
  await lines.next();
  resume();
}
