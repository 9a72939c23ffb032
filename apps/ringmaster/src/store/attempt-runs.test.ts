import { expect, it } from 'vitest';

import { openTest } from '../../test/harness.ts';
import { addProject } from '../service/projects.ts';
import { claim } from '../service/queue.ts';
import { addTask } from '../service/tasks.ts';
import { addWorker } from '../service/workers.ts';
import { freePorts, insertRun, updateRun } from './attempt-runs.ts';

it('gives each run the lowest free range of ports until the run is settled', async () => {
  const rm = await openTest();
  await addProject(rm, { name: 'Circus' });
  await addWorker(rm, { worker: 'w1', type: 'custom', command: '/bin/true', max_concurrent: 9 });
  const supervisor = { supervisor_id: 's', supervisor_pid: 1, supervisor_start: null, supervisor_boot: null };
  const folder = { folder: '', repository: null, branch: null, base_commit: null };
  const begin = async (first: number, count: number): Promise<{ id: number; ports: string }> => {
    await addTask(rm, { title: 'Sweep' });
    let ports = '';
    const claimed = await claim(rm, {
      worker: 'w1',
      also: (tx, { id }) => {
        const free = freePorts(tx, { first, count, max: 130 });
        ports = `${free.port_start}-${free.port_end}`;
        return insertRun(tx, { attempt_id: id, ...supervisor, ...folder, ...free });
      },
    });
    return { id: claimed!.attempt.id, ports };
  };
  const one = await begin(100, 10);
  const two = await begin(100, 10);
  expect([one.ports, two.ports]).toEqual(['100-109', '110-119']);
  await rm.store.write('settled', (tx) => updateRun(tx, one.id, { settled_at: '2026-01-01T00:00:00.000Z' }));
  // The gap of ten ports is too small for a range of twelve, but large enough for a range of four.
  expect((await begin(100, 12)).ports).toBe('null-null');
  expect((await begin(100, 4)).ports).toBe('100-103');
  expect((await begin(102, 6)).ports).toBe('104-109');
  expect((await begin(100, 11)).ports).toBe('120-130');
  expect((await begin(100, 0)).ports).toBe('null-null');
});
