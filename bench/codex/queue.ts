import { join } from 'node:path';

import { Connection } from '@holdfast/sqlite';
import { defineQueue } from 'plainjob';

import { notebookPath } from '../../apps/codex/src/model/path.ts';
import { type Context, type Figure, median } from '../lib/harness.ts';
import { openNotebook, WAIT_MS } from './notebook.ts';

const AT_ONCE = 64;

/**
 * Workload: operations with nothing to do (a look at a path that is not there) from being asked for, 64 at a time, to
 * being done; each of ours is durable when it is acknowledged and again when it is done, is ordered by path and leaves a
 * journal. plainjob (npm): add, take and finish a job, one at a time, as its worker does, with the same durability
 * (synchronous=FULL) through the same SQLite. Reported, with no goal to reach.
 */
export async function benchmark({ folder, quick, progress }: Context): Promise<readonly Figure[]> {
  const jobs = quick ? 100 : 2_000;
  const rounds = quick ? 1 : 3;
  const rates: { ours: number; plainjob: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const ours = await oursRate(join(folder, `queue-${round}`), jobs);
    const plainjob = plainjobRate(join(folder, `plainjob-${round}.db`), jobs);
    rates.push({ ours, plainjob });
    progress(`  ours ${Math.round(ours)}/s, plainjob ${Math.round(plainjob)}/s`);
  }
  const value = median(rates.map(({ ours, plainjob }) => ours / plainjob));
  const rate = (kind: 'ours' | 'plainjob'): string => `${Math.round(median(rates.map((each) => each[kind])))}/s`;
  const baseline = `plainjob 0.0.14: ${rate('plainjob')} (ours ${rate('ours')})`;
  return [{ name: 'codex.queue_nothing_to_do', value, unit: '×', baseline, goal: 0, better: 'higher' }];
}

async function oursRate(folder: string, jobs: number): Promise<number> {
  const { engine, notebook } = await openNotebook(folder);
  let next = 0;
  let last = 0;
  const started = performance.now();
  const caller = async (): Promise<void> => {
    while (next < jobs) {
      const path = notebookPath(`missing-${next++}.md`);
      await engine.publishSync(notebook, [{ type: 'sync', path, event: 'look' }]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
  last = engine.codex.store.reader.get<{ id: number }>('SELECT max(id) AS id FROM file_events')?.id ?? 0;
  for (let id = 1; id <= last; id++) await engine.wait(id, WAIT_MS);
  const seconds = (performance.now() - started) / 1_000;
  await engine.close();
  return jobs / seconds;
}

function plainjobRate(path: string, jobs: number): number {
  const connection = new Connection(path);
  const jobQueue = defineQueue({
    connection: {
      driver: 'better-sqlite3',
      filename: path,
      // It would lower the durability to NORMAL; the comparison is between equals.
      pragma: (text) => (/synchronous/iu.test(text) ? undefined : connection.exec(`PRAGMA ${text}`)),
      exec: (text) => connection.exec(text),
      prepare: (text) => connection.driver.prepare(text),
      transaction: ((body: (...args: unknown[]) => unknown) => {
        const whole = (...args: unknown[]): unknown => {
          connection.exec('BEGIN IMMEDIATE');
          const value = body(...args);
          connection.exec('COMMIT');
          return value;
        };
        return Object.assign(whole, { immediate: whole });
      }) as never,
      close: () => connection.close(),
    },
    logger: { error: silent, warn: silent, info: silent, debug: silent },
  });
  const started = performance.now();
  for (let n = 0; n < jobs; n++) jobQueue.add('nothing', { n });
  for (let n = 0; n < jobs; n++) {
    const job = jobQueue.getAndMarkJobAsProcessing('nothing');
    if (job === undefined) throw new Error(`plainjob lost job ${n}`);
    jobQueue.markJobAsDone(job.id);
  }
  const seconds = (performance.now() - started) / 1_000;
  jobQueue.close();
  return jobs / seconds;
}

function silent(): void {}
