/** Claims until no task is left. Arguments: kind of claim (`ours`, `bare` or `fair`), database, worker. */
import { isHoldfastError } from '@holdfast/base';
import { Connection } from '@holdfast/sqlite';

import { claim } from '../../apps/ringmaster/src/service/queue.ts';
import { lockPauses } from '../../apps/ringmaster/src/store/open.ts';
import { defaultLock, WriteLock } from '../../packages/sqlite/src/write-lock.ts';
import { answerQuestions } from '../lib/child.ts';
import { openAt } from '../ringmaster/setup.ts';

export interface Claims {
  readonly ids: readonly string[];
  /** The longest time between the start of a claim and its result. */
  readonly longestMs: number;
}

const [kind, path = '', worker = ''] = process.argv.slice(2);
const claimOne = kind === 'ours' ? await ours() : kind === 'fair' ? fair() : bare();
answerQuestions(async (): Promise<Claims> => {
  const ids: string[] = [];
  let longestMs = 0;
  for (;;) {
    const started = performance.now();
    const id = await claimOne();
    longestMs = Math.max(longestMs, performance.now() - started);
    if (id === undefined) return { ids, longestMs };
    ids.push(id);
  }
});

type ClaimOne = () => Promise<string | undefined> | string | undefined;

async function ours(): Promise<ClaimOne> {
  const rm = await openAt(path);
  return async () => (await claim(rm, { worker }))?.task.id;
}

/** The simplest implementation with the same durability: one statement per task. */
function bare(): ClaimOne {
  const connection = new Connection(path);
  return () => patiently(() => update(connection));
}

/** The same statement, but each claim waits for its turn, like our claims. */
function fair(): ClaimOne {
  const connection = new Connection(path);
  const lock = new WriteLock(connection, { ...defaultLock, ...lockPauses }, 5_000);
  return async () => {
    await lock.acquire();
    const id = update(connection);
    connection.exec('COMMIT');
    return id;
  };
}

function update(connection: Connection): string | undefined {
  const row = connection.get<{ id: string }>(
    `UPDATE tasks SET status = 'assigned', worker_id = ? WHERE id = (
     SELECT id FROM tasks WHERE status = 'ready' ORDER BY priority DESC LIMIT 1) RETURNING id`,
    worker,
  );
  return row?.id;
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
