import { HOUR } from '@holdfast/base';
import { afterEach, expect, it } from 'vitest';

import { openWithProject, testClock } from '../../test/harness.ts';
import { localDay } from '../model/budget.ts';
import { defaultConfig } from '../model/config.ts';
import { insertIteration, updateIteration } from '../store/iterations.ts';
import { reachedBudgets, reportBudgets } from './budget.ts';
import { addProject } from './projects.ts';
import { claim } from './queue.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';
import { addTask } from './tasks.ts';
import { addWorker } from './workers.ts';

const zone = process.env['TZ'];
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

/** Claims a task and stores a turn that cost 2 USD. */
async function spend(rm: Ringmaster): Promise<string> {
  const { id } = await addTask(rm, { title: 'Costly' });
  const { attempt } = (await claim(rm, { worker: 'w1' }))!;
  await rm.store.write('run: turn', (tx) => {
    const call = callOf(rm);
    const turn = { number: 1, attempt_id: attempt.id, started_at: call.now, prompt_path: null, context_path: null };
    insertIteration(tx, { task_id: id, ...turn });
    updateIteration(tx, id, 1, { ended_at: call.now, cost_usd: 2, input_tokens: 10, output_tokens: 5 });
    reportBudgets(tx, rm, call, id);
    reportBudgets(tx, rm, call, id);
  });
  return id;
}

it.each([
  ['Asia/Tokyo', '2026-11-16', '2026-11-15T15:00:00.000Z'],
  ['America/New_York', '2026-11-15', '2026-11-15T05:00:00.000Z'],
])('a day begins at midnight in the time zone of the operator: %s', (name, date, start) => {
  process.env['TZ'] = name;
  expect(localDay(Date.parse('2026-11-15T20:00:00Z'))).toEqual({ date, start });
});

it('the budget of a day holds all tasks until the next local day', async () => {
  process.env['TZ'] = 'America/New_York';
  const clock = testClock(Date.parse('2026-11-16T03:00:00Z'));
  const rm = await openWithProject({ clock, config: { budget: { ...defaultConfig.budget, day_usd: 1 } } });
  await spend(rm);
  await addTask(rm, { title: 'Next' });
  expect(reachedBudgets(rm.store.reader, rm)).toMatchObject([{ scope: 'day', id: '2026-11-15', usd: 2, tokens: 15 }]);
  clock.advance(HOUR);
  expect(reachedBudgets(rm.store.reader, rm)).toHaveLength(1);
  clock.advance(HOUR);
  expect(reachedBudgets(rm.store.reader, rm)).toEqual([]);
});

it('the budget of a project holds only that project, and is reported once', async () => {
  const rm = await openWithProject({ config: { budget: { ...defaultConfig.budget, project_tokens: 15 } } });
  await spend(rm);
  await addProject(rm, { name: 'Other', id: 'other' });
  await addWorker(rm, { worker: 'w2' });
  await addTask(rm, { title: 'Held', project: 'circus', priority: 'P0' });
  const { id } = await addTask(rm, { title: 'Free', project: 'other' });
  expect((await claim(rm, { worker: 'w2' }))?.task.id).toBe(id);
  expect(rm.store.reader.all(`SELECT entity_id FROM events WHERE event_type = 'budget_reached'`)).toEqual([
    { entity_id: 'circus' },
  ]);
});
