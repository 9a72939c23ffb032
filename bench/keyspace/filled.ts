import { Connection } from '@holdfast/sqlite';

import { openOurs } from './databases.ts';
import { idOf, makeEvent, makeTask, sidOf } from './workload.ts';

/** Tasks per session, so a scan of one session reads neighbours whatever the database size. */
const TASKS_PER_SESSION = 100;

const PER_COMMIT = 20_000;

/**
 * Creates a database with this many task records and all their keys (index entries, log entries, numbers, counters,
 * meta) as the keyspace would, but fast: in key order, without a journal.
 */
export async function makeFilled(path: string, records: number): Promise<void> {
  await (await openOurs(path, 'OFF')).close();
  const connection = new Connection(path, { synchronous: 'OFF', busyTimeoutMs: 5_000, cacheKib: 100_000 });
  const insert = connection.prepare('INSERT INTO keyspace (key, value) VALUES (?, ?)');
  const put = (key: string, value: string): void => void insert.run(key, value);
  const sessions = Math.ceil(records / TASKS_PER_SESSION);
  connection.exec('BEGIN IMMEDIATE');
  for (let session = 0; session < sessions; session++) {
    if (session % (PER_COMMIT / TASKS_PER_SESSION) === 0) connection.exec('COMMIT; BEGIN IMMEDIATE');
    putSession(put, session);
  }
  for (let session = 0; session < sessions; session++) put(`stats/${sidOf(session)}`, String(TASKS_PER_SESSION));
  connection.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  connection.close();
}

function putSession(put: (key: string, value: string) => void, session: number): void {
  const sid = sidOf(session);
  const prefix = `s/${sid}/`;
  const first = session * TASKS_PER_SESSION;
  const made = Array.from({ length: TASKS_PER_SESSION }, (_, index) => makeTask(first + index));
  for (const [index, task] of made.entries()) {
    const seq = index + 1;
    put(`${prefix}evt/${seq.toString(16).padStart(16, '0')}`, JSON.stringify(makeEvent(seq, task)));
  }
  for (const task of made) put(`${prefix}idx/status/${task.status}/${task.id}`, '');
  const lastUpdate = made.at(-1)?.updated_at;
  put(`${prefix}meta`, JSON.stringify({ sid, state: 'active', dir_hash: sid, last_updated_at: lastUpdate }));
  put(`${prefix}meta/evt_seq`, String(TASKS_PER_SESSION));
  for (const task of made) put(`${prefix}task/${task.id}`, JSON.stringify(task));
}

/** Visits all records in a cache-unfriendly order, the same on every run. */
export function scattered(operation: number, records: number): { sid: string; id: string } {
  const task = (operation * 7_919 + 104_729) % records;
  return { sid: sidOf(Math.floor(task / TASKS_PER_SESSION)), id: idOf(task) };
}
