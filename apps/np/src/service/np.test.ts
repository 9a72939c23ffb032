import { describe, expect, it } from 'vitest';
import { openHarness } from '../../test/harness.ts';
import { addTasks, deleteTask, moveTask, showPlan, startSession, updateTasks } from '../index.ts';

describe('a task id', () => {
  it('may be shortened to a prefix that only one task has, in any case', async () => {
    const { np, directory, call } = await openHarness();
    await startSession(np, { directory, cmd: 'np s' });
    const [first, second] = await addTasks(np, { ...call, tasks: twoTasks });
    const id = first!.task.id;
    const unique = uniquePrefix(id, second!.task.id);
    await updateTasks(np, { ...call, updates: [{ id: unique.toUpperCase(), status: 'completed' }] });
    await moveTask(np, { ...call, id: unique, after: uniquePrefix(second!.task.id, id) });
    const { tasks } = await showPlan(np, call.where);
    expect(tasks.map((task) => [task.id, task.status])).toEqual([
      [second!.task.id, 'pending'],
      [id, 'completed'],
    ]);
  });

  it('that several tasks share is refused with the candidates, unless it is a whole id', async () => {
    const { np, directory, call } = await openHarness();
    const { session } = await startSession(np, { directory, cmd: 'np s' });
    const [{ task } = { task: undefined }] = await addTasks(np, { ...call, tasks: twoTasks.slice(0, 1) });
    const longer = `${task!.id}0`;
    // Writes the second task directly: titles whose ids have a common prefix are too rare to generate.
    await np.store.transact(async (tx) => {
      const twin = { ...task!, id: longer, created_seq: 9 };
      tx.writeKey(`s/${session.sid}/task/${longer}`, JSON.stringify(twin));
    });
    const prefix = task!.id.slice(0, 5);
    await expect(
      updateTasks(np, { ...call, updates: [{ id: prefix, status: 'failed', reason: 'x' }] }),
    ).rejects.toMatchObject({
      code: 'TASK_AMBIGUOUS',
      kind: 'conflict',
      details: { candidates: [task!.id, longer] },
      hint: expect.stringContaining(longer),
    });
    await updateTasks(np, { ...call, updates: [{ id: task!.id, status: 'completed' }] });
  });

  it('that is none is not found', async () => {
    const { np, directory, call } = await openHarness();
    await startSession(np, { directory, cmd: 'np s' });
    for (const id of ['', 'zz', 'a/b', '*']) {
      await expect(deleteTask(np, { ...call, id, reason: 'x' })).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    }
  });
});

describe('a session id', () => {
  it('may be shortened to its first characters, or to the last ones, which the monitor shows', async () => {
    const { np, directory } = await openHarness();
    const { session } = await startSession(np, { directory, cmd: 'np s' });
    const { sid } = session;
    for (const reference of [sid, sid.toLowerCase(), sid.slice(0, 12), sid.slice(-6), sid.slice(-6).toLowerCase()]) {
      expect((await showPlan(np, { sid: reference })).session.sid, reference).toBe(sid);
    }
    for (const reference of ['NOPE', '', `${sid}0`]) {
      await expect(showPlan(np, { sid: reference })).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    }
  });

  it('that several sessions share is refused with the candidates', async () => {
    const { np, directory } = await openHarness();
    const first = await startSession(np, { directory, cmd: 'np s' });
    const second = await startSession(np, { directory: `${directory}/below`, cmd: 'np s' });
    const prefix = first.session.sid.slice(0, 4);
    await expect(showPlan(np, { sid: prefix })).rejects.toMatchObject({
      code: 'SESSION_AMBIGUOUS',
      details: { candidates: [first.session.sid, second.session.sid].sort() },
    });
  });
});

const twoTasks = [
  { title: 'First', description: '' },
  { title: 'Second', description: '' },
];

function uniquePrefix(id: string, other: string): string {
  let length = 1;
  while (other.startsWith(id.slice(0, length))) length += 1;
  return id.slice(0, length);
}
