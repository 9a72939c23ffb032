/** Adds tasks with 16 callers for the requested time. Arguments: address, space, process name. */
import { postgresEngine } from '@holdfast/postgres';

import { addTask } from '../keyspace/transaction.ts';
import { makeTask, openOn, sidOf } from '../keyspace/workload.ts';
import { answerQuestions } from '../lib/child.ts';

const [address, space, name] = process.argv.slice(2) as [string, string, string];
const CALLERS = 16;
const keyspace = await openOn(await postgresEngine({ address, space }));
let next = Number(name) * 10_000_000;

answerQuestions(async (milliseconds) => {
  const end = performance.now() + Number(milliseconds);
  let added = 0;
  const work = async (caller: number): Promise<void> => {
    while (performance.now() < end) {
      await addTask(keyspace, sidOf(Number(name) * CALLERS + caller), makeTask(next++));
      added += 1;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => work(caller)));
  return added;
});
