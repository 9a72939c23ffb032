import { describe, expect, it } from 'vitest';

import { beadsText } from '../../test/beads-text.ts';
import { openWithProject } from '../../test/harness.ts';
import { existingTask, readyIds } from '../store/tasks.ts';
import { importBeads } from './beads.ts';
import { deleteTasks, restoreTasks } from './delete-task.ts';
import { addDependency } from './graph.ts';
import { allInquiries, inquire } from './inquiries.ts';
import { importPlan } from './plan-import.ts';
import { claim } from './queue.ts';
import type { Ringmaster } from './ringmaster.ts';
import { addTask, editTask, listTasks, showTask } from './tasks.ts';
import { undo } from './restore.ts';

const listed = async (rm: Ringmaster, archived = false): Promise<string[]> => {
  const query = { limit: 100, state: 'all', search: '', labels: [], archived } as const;
  return (await listTasks(rm, query)).data.map(({ id }) => id).toSorted();
};

/** An epic with two parts, and a task that depends on the second part. */
async function openWithEpic(): Promise<Ringmaster> {
  const rm = await openWithProject();
  await addTask(rm, { id: 'e', title: 'Epic', type: 'epic' });
  await addTask(rm, { id: 'a', title: 'A', parent: 'e' });
  await addTask(rm, { id: 'b', title: 'B', parent: 'e', depends_on: ['a'] });
  await addTask(rm, { id: 'c', title: 'C', depends_on: ['b'] });
  return rm;
}

describe('deleting tasks', () => {
  it('hides a task with its parts and questions, and restoring brings back all of them with their dependencies', async () => {
    const rm = await openWithEpic();
    await inquire(rm, { task: 'a', kind: 'decision', question: 'Which?' });
    const before = { listed: await listed(rm), b: showTask(rm, { task: 'b' }).dependencies };
    expect((await deleteTasks(rm, { tasks: ['e', 'c'] })).map(({ id }) => id).toSorted()).toEqual([
      'a',
      'a-d1',
      'b',
      'c',
      'e',
    ]);
    expect(await listed(rm)).toEqual([]);
    expect(await listed(rm, true)).toEqual(before.listed);
    expect(readyIds(rm.store.reader)).toEqual([]);
    expect(allInquiries(rm, {})).toEqual([]);
    await expect(editTask(rm, { task: 'a', title: 'X' })).rejects.toMatchObject({ code: 'TASK_DELETED' });
    await expect(addTask(rm, { title: 'X', depends_on: ['a'] })).rejects.toMatchObject({ code: 'TASK_DELETED' });
    await expect(restoreTasks(rm, { tasks: ['a'] })).rejects.toThrow('a is part of e, which is deleted');
    await expect(restoreTasks(rm, { tasks: ['c'] })).rejects.toThrow('c depends on b, which is deleted');
    await restoreTasks(rm, { tasks: ['c', 'e'] });
    expect({ listed: await listed(rm), b: showTask(rm, { task: 'b' }).dependencies }).toEqual(before);
    expect(allInquiries(rm, {})).toHaveLength(1);
    await expect(restoreTasks(rm, { tasks: ['c'] })).rejects.toMatchObject({ code: 'TASK_STATE' });
  });

  it('is refused while an unfinished task depends on one of them or a worker holds one', async () => {
    const rm = await openWithEpic();
    await expect(deleteTasks(rm, { tasks: ['e'] })).rejects.toMatchObject({
      code: 'TASK_NEEDED',
      message: 'c depends on b',
    });
    await claim(rm, { worker: 'w1' });
    await expect(deleteTasks(rm, { tasks: ['e', 'c'] })).rejects.toMatchObject({ code: 'TASK_RUNNING' });
    expect(await listed(rm)).toEqual(['a', 'b', 'c', 'e']);
    await deleteTasks(rm, { tasks: ['c'] });
    await expect(addDependency(rm, { task: 'c', depends_on: 'a' })).rejects.toMatchObject({ code: 'TASK_DELETED' });
  });

  it('can be undone like any other change', async () => {
    const rm = await openWithEpic();
    await deleteTasks(rm, { tasks: ['c'] });
    await undo(rm);
    expect(await listed(rm)).toEqual(['a', 'b', 'c', 'e']);
  });

  it('exports a tombstone, and an import does not bring the task back', async () => {
    const rm = await openWithProject();
    const line = JSON.stringify({ id: 'bd-1', title: 'One', status: 'open', priority: 2, custom: 7 });
    await importBeads(rm, { content: line, source: 'f' });
    await deleteTasks(rm, { tasks: ['bd-1'] });
    const text = await beadsText(rm);
    expect(JSON.parse(text)).toMatchObject({ id: 'bd-1', status: 'tombstone', custom: 7 });
    const newer = JSON.stringify({ id: 'bd-1', title: 'Two', priority: 2, updated_at: '2099-01-01T00:00:00Z' });
    expect(await importBeads(rm, { content: newer, source: 'f' })).toMatchObject({ problems: [{ kind: 'deleted' }] });
    await importBeads(rm, { content: text, source: 'f' });
    expect(existingTask(rm.store.reader, 'bd-1').title).toBe('One');
    await restoreTasks(rm, { tasks: ['bd-1'] });
    expect(await listed(rm)).toEqual(['bd-1']);
  });

  it('keeps a deleted entry of a plan deleted when the plan is imported again', async () => {
    const rm = await openWithProject();
    const content = '# Plan\n- [ ] One\n- [ ] Two (depends on One)';
    const { entries } = await importPlan(rm, { content, source: 'f' });
    await deleteTasks(rm, { tasks: [entries[0]?.id ?? ''] });
    expect(await importPlan(rm, { content, source: 'f' })).toMatchObject({ created: 0, unchanged: 3 });
    expect(await listed(rm)).toEqual([]);
    await expect(importPlan(rm, { content: `${content}\n- [ ] Three`, source: 'f' })).rejects.toThrow(
      'line 4: "Three"',
    );
  });
});

describe('epics', () => {
  const statusOf = (rm: Ringmaster, id: string): string => existingTask(rm.store.reader, id).status;

  it('close when their last part is done or deleted, and open again with an unfinished part', async () => {
    const rm = await openWithEpic();
    await addTask(rm, { id: 'top', title: 'Top', type: 'epic' });
    await editTask(rm, { task: 'e', parent: 'top' });
    await editTask(rm, { task: 'a', status: 'done' });
    expect([statusOf(rm, 'e'), statusOf(rm, 'top')]).toEqual(['ready', 'ready']);
    await editTask(rm, { task: 'b', status: 'done' });
    expect([statusOf(rm, 'e'), statusOf(rm, 'top')]).toEqual(['done', 'done']);
    await addTask(rm, { id: 'd', title: 'D', parent: 'e' });
    expect([statusOf(rm, 'e'), statusOf(rm, 'top')]).toEqual(['ready', 'ready']);
    await deleteTasks(rm, { tasks: ['d'] });
    expect(statusOf(rm, 'e')).toBe('done');
    await restoreTasks(rm, { tasks: ['d'] });
    expect(statusOf(rm, 'e')).toBe('ready');
  });
});
