import { expect, it } from 'vitest';
import { openHarness, openStarted } from '../../test/harness.ts';
import {
  addTasks,
  archiveSession,
  claimTask,
  deleteTask,
  listTasks,
  moveTask,
  setGoal,
  showPlan,
  startSession,
  undoLastChange,
  unarchiveSession,
  updateGoal,
  updateTasks,
  verify,
} from '../index.ts';

it('goes back command by command, to the plan as it was, and the log keeps everything', async () => {
  const { np, call, tick, eventTypes } = await openStarted();
  const content = async () => {
    const { goal, tasks } = await showPlan(np, call.where);
    const plain = tasks.map(({ updated_at: _, version: __, ...task }) => task);
    return { goal: goal === null ? null : [goal.title, goal.description], tasks: plain };
  };
  const [one, two] = (
    await addTasks(np, { ...call, tasks: ['One', 'Two', 'Three'].map((title) => ({ title, description: '' })) })
  ).map(({ task }) => task.id) as [string, string];
  const commands: (() => Promise<unknown>)[] = [
    () => setGoal(np, { ...call, title: 'Ship', description: '' }),
    () => updateGoal(np, { ...call, title: 'Ship it', reason: 'clearer' }),
    () =>
      updateTasks(np, {
        ...call,
        updates: [
          { id: one, status: 'failed', reason: 'no' },
          { id: two, status: 'completed' },
        ],
      }),
    () => updateTasks(np, { ...call, updates: [{ id: one, title: 'Uno', status: 'pending', reason: 'again' }] }),
    () => moveTask(np, { ...call, id: two, to: 1 }),
    () => deleteTask(np, { ...call, id: two, reason: 'duplicate' }),
    () =>
      addTasks(np, {
        ...call,
        tasks: [
          { title: 'Four', description: '' },
          { title: 'Five', description: '' },
        ],
      }),
  ];
  const states: unknown[] = [];
  for (const command of commands) {
    states.push(await content());
    tick();
    await command();
  }
  const before = (await eventTypes()).length;
  for (const state of states.toReversed()) {
    await undoLastChange(np, call);
    expect(await content()).toEqual(state);
  }
  expect((await eventTypes()).slice(before)).toEqual(commands.map(() => 'change_undone'));
  const { undone } = await undoLastChange(np, call);
  expect(undone).toBe(`${one} added: One (and 2 more)`);
  expect((await listTasks(np, call.where)).tasks).toEqual([]);
  await expect(undoLastChange(np, call)).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO', kind: 'not_found' });
  expect((await verify(np, false)).problems).toEqual([]);
});

it('takes back the goal and the tasks of a Markdown plan, and keeps the session', async () => {
  const { np, directory, call } = await openHarness();
  await startSession(np, { directory, cmd: 'np s', plan: '# Ship\n\n- [ ] One\n- [ ] Two\n' });
  expect((await undoLastChange(np, call)).undone).toBe('goal set: Ship (and 2 more)');
  expect(await showPlan(np, call.where)).toMatchObject({ goal: null, tasks: [], session: { state: 'active' } });
});

it('undoes only what the same actor did', async () => {
  const { np, call, add } = await openStarted();
  const [id] = (await add('One')) as [string];
  await claimTask(np, { ...call, id, actor: 'ada', for: '30m' });
  await expect(undoLastChange(np, { ...call, actor: 'bob' })).rejects.toThrow('bob has nothing to undo.');
  const { tasks } = await undoLastChange(np, { ...call, actor: 'ada' });
  expect(tasks).toMatchObject([{ task: { status: 'pending', version: 3 } }]);
  expect(tasks[0]?.task).not.toHaveProperty('actor');
});

it('is refused, and changes nothing, if somebody else has changed the same task since', async () => {
  const { np, call, add, keys } = await openStarted();
  const [one, two] = (await add('One', 'Two')) as [string, string];
  const ada = { ...call, actor: 'ada' };
  await updateTasks(np, { ...ada, updates: [one, two].map((id) => ({ id, status: 'in_progress' as const })) });
  await updateTasks(np, { ...call, updates: [{ id: two, status: 'completed' }] });
  const before = await keys();
  const refused = {
    code: 'UNDO_CONFLICT',
    kind: 'conflict',
    message: `Task ${two} has been changed again since then.`,
  };
  await expect(undoLastChange(np, ada)).rejects.toMatchObject(refused);
  expect(await keys()).toEqual(before);
  // A change by another actor does not cause a conflict if it was itself undone.
  await undoLastChange(np, call);
  expect((await undoLastChange(np, ada)).tasks).toMatchObject([
    { task: { status: 'pending' } },
    { task: { status: 'pending' } },
  ]);
});

it('does not remove an added task with a note by somebody else', async () => {
  const { np, call, add, keys } = await openStarted();
  const [id] = (await add('One')) as [string];
  const bob = { ...call, actor: 'bob' };
  await updateTasks(np, { ...bob, updates: [{ id, note: 'the cause is in cart.ts' }] });
  const before = await keys();
  await expect(undoLastChange(np, call)).rejects.toMatchObject({ code: 'UNDO_CONFLICT' });
  expect(await keys()).toEqual(before);
  await undoLastChange(np, bob);
  await undoLastChange(np, call);
  expect((await showPlan(np, call.where)).tasks).toEqual([]);
});

it('does not touch the state of the session, which archiving has its own way back for', async () => {
  const { np, call, sid } = await openStarted();
  await expect(undoLastChange(np, call)).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' });
  await archiveSession(np, call);
  await expect(undoLastChange(np, { ...call, where: { sid } })).rejects.toMatchObject({ code: 'SESSION_ARCHIVED' });
  await unarchiveSession(np, call);
  await expect(undoLastChange(np, call)).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' });
});

it('goes back past an archiving that was itself undone', async () => {
  const { np, call, add } = await openStarted();
  await add('One');
  await archiveSession(np, call);
  await unarchiveSession(np, call);
  expect(await undoLastChange(np, call)).toMatchObject({ undone: expect.stringContaining('added: One') });
  expect((await showPlan(np, call.where)).tasks).toEqual([]);
});
