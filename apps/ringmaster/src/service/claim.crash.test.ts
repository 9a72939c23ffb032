import { readFileSync } from 'node:fs';

import { delay } from '@holdfast/base';
import { describe, expect, it } from 'vitest';

import { openWithProject, temporaryFolder } from '../../test/harness.ts';
import { type Program, startProgram } from '../../test/process.ts';
import { examine } from './doctor.ts';
import { insertTask } from '../store/tasks.ts';
import type { Ringmaster } from './ringmaster.ts';
import { addWorker } from './workers.ts';

const WORKERS = 8;
const TASKS = 240;
const LEASE_SECONDS = '0.5';

async function prepared(): Promise<Ringmaster> {
  const rm = await openWithProject({ root: temporaryFolder() });
  await rm.store.write('tasks', (tx) => {
    for (let n = 0; n < TASKS; n++) {
      insertTask(tx, { id: `bd-${n}`, project_id: 'circus', type: 'task', title: `T${n}`, status: 'ready' });
      // Tasks form chains of four, so that a finished task makes the next one available to other processes.
      if (n % 4 !== 0) tx.run('INSERT INTO dependencies (child_id, parent_id) VALUES (?, ?)', `bd-${n}`, `bd-${n - 1}`);
    }
  });
  for (let n = 0; n < WORKERS; n++) await addWorker(rm, { worker: `p${n}`, type: 'custom', command: '' });
  return rm;
}

const start = (rm: Ringmaster, n: number): Program =>
  startProgram('claimer', rm.workspace.root, `p${n}`, LEASE_SECONDS, '60');

/** Stops the process before killing it, so that its task does not change in between. */
async function killHolding(rm: Ringmaster, n: number, { process: { pid = 0 } }: Program): Promise<void> {
  const holds = `SELECT 1 AS x FROM attempts WHERE worker_id = ? AND ended_at IS NULL`;
  for (;;) {
    process.kill(pid, 'SIGSTOP');
    while (!/^\d+ \([^)]*\) T/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) await delay(1);
    if (rm.store.reader.get(holds, `p${n}`) !== undefined) break;
    process.kill(pid, 'SIGCONT');
    await delay(5);
  }
  process.kill(pid, 'SIGKILL');
}

/** Checks that every task was done once, by its last token, and that no other report counted. */
async function check(rm: Ringmaster, lines: readonly string[]): Promise<void> {
  const reader = rm.store.reader;
  expect(reader.all(`SELECT id, status FROM tasks WHERE status <> 'done'`)).toEqual([]);
  expect(reader.all('SELECT task_id FROM attempts WHERE ended_at IS NULL')).toEqual([]);
  const succeeded = reader.all<{ task_id: string; id: number; n: number }>(
    `SELECT task_id, max(id) AS id, count(*) AS n FROM attempts WHERE outcome = 'succeeded' GROUP BY 1`,
  );
  expect(succeeded).toHaveLength(TASKS);
  expect(succeeded.every(({ n }) => n === 1)).toBe(true);
  const tokens = new Map(succeeded.map(({ task_id, id }) => [task_id, id]));
  for (const line of lines) {
    const [what, task = '', token] = line.split(' ');
    if (what === 'reported') expect(tokens.get(task)).toBe(Number(token));
    if (what === 'refused') expect(line).toMatch(/STALE_TOKEN$/);
  }
  // No two attempts of a task overlap.
  expect(
    reader.all(`SELECT a.id, b.id FROM attempts a JOIN attempts b ON a.task_id = b.task_id AND a.id < b.id
                WHERE a.ended_at > b.started_at`),
  ).toEqual([]);
  expect((await examine(rm, { repair: false })).flatMap(({ problems }) => problems)).toEqual([]);
}

describe('eight claiming processes', () => {
  it('lose no task, hold none twice and take no stale report, killed and stopped at random', async () => {
    const rm = await prepared();
    const programs = new Map<number, Program>();
    const lines: string[] = [];
    const ended: Promise<void>[] = [];
    const launch = (n: number): Program => {
      const program = start(rm, n);
      programs.set(n, program);
      ended.push(program.ended.then(() => void lines.push(...program.lines)));
      return program;
    };
    await Promise.all(Array.from({ length: WORKERS }, (_, n) => launch(n).said('ready')));
    for (let round = 0; round < 4; round++) {
      const victim = programs.get(round);
      const sleeper = programs.get((round + 4) % WORKERS);
      if (round === 0 && victim !== undefined) await killHolding(rm, round, victim);
      else victim?.process.kill('SIGKILL');
      sleeper?.process.kill('SIGSTOP');
      await new Promise((resolve) => setTimeout(resolve, 800));
      sleeper?.process.kill('SIGCONT');
      launch(round);
    }
    await Promise.all(ended);
    await check(rm, lines);
    expect(
      rm.store.reader.get<{ n: number }>(`SELECT count(*) AS n FROM attempts WHERE outcome = 'expired'`)?.n,
    ).toBeGreaterThan(0);
  });
});
