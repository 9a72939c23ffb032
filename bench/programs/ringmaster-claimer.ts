/** Claims until no task is left. Arguments: `ours` or `bare`, database, worker. */
import { isHoldfastError } from '@holdfast/base';
import { Connection } from '@holdfast/sqlite';

import { claim } from '../../apps/ringmaster/src/service/queue.ts';
import { answerQuestions } from '../lib/child.ts';
import { openAt } from '../ringmaster/setup.ts';

const [kind, path = '', worker = ''] = process.argv.slice(2);
const claimAll = kind === 'ours' ? await ours() : bare();
answerQuestions(claimAll);

async function ours(): Promise<() => Promise<string[]>> {
  const rm = await openAt(path);
  return async () => {
    const claimed: string[] = [];
    for (;;) {
      const one = await claim(rm, { worker });
      if (one === undefined) return claimed;
      claimed.push(one.task.id);
    }
  };
}

/** The simplest implementation with the same durability: one statement per task. */
function bare(): () => string[] {
  const connection = new Connection(path);
  return () => {
    const claimed: string[] = [];
    for (;;) {
      const row = patiently(() =>
        connection.get<{ id: string }>(
          `UPDATE tasks SET status = 'assigned', worker_id = ? WHERE id = (
           SELECT id FROM tasks WHERE status = 'ready' ORDER BY priority DESC LIMIT 1) RETURNING id`,
          worker,
        ),
      );
      if (row === undefined) return claimed;
      claimed.push(row.id);
    }
  };
}

/** Retries, because SQLite's busy handler is not fair: some processes wait longer than the timeout. */
function patiently<T>(action: () => T): T {
  for (;;) {
    try {
      return action();
    } catch (error) {
      if (!isHoldfastError(error, 'STORE_BUSY')) throw error;
    }
  }
}
