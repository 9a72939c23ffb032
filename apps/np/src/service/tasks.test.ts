import { describe, expect, it } from 'vitest';
import { type Harness, openHarness } from '../../test/harness.ts';
import {
  addTasks,
  claimTask,
  deleteTask,
  listTasks,
  moveTask,
  openNp,
  readLog,
  setGoal,
  showPlan,
  startSession,
  type Status,
  updateGoal,
  updateTasks,
  verify,
} from '../index.ts';
import { taskHash } from '../model/ids.ts';

interface Started extends Harness {
  readonly sid: string;
  readonly add: (...titles: string[]) => Promise<readonly string[]>;
  readonly eventTypes: () => Promise<readonly string[]>;
}

async function started(): Promise<Started> {
  const harness = await openHarness();
  const { np, directory, call } = harness;
  const { session } = await startSession(np, { directory, cmd: 'np s' });
  harness.tick();
  return {
    ...harness,
    sid: session.sid,
    add: async (...titles) => {
      const tasks = titles.map((title) => ({ title, description: `about ${title}` }));
      return (await addTasks(np, { ...call, tasks })).map(({ task }) => task.id);
    },
    eventTypes: async () => (await readLog(np, call.where, { after: 0, limit: 1_000 })).events.map(({ type }) => type),
  };
}

describe('the goal', () => {
  it('is set once, and updated with a reason, as the design document says', async () => {
    const { np, call, sid, keys, tick } = await started();
    await expect(updateGoal(np, { ...call, title: 'x', reason: 'y' })).rejects.toThrow(
      "No goal set yet. Use 'np g s' to set it first.",
    );
    const goal = await setGoal(np, { ...call, title: 'Ship', description: 'the thing' });
    await expect(setGoal(np, { ...call, title: 'Ship', description: '' })).rejects.toThrow(
      "Goal already set. Use 'np g u' to update it (requires -r/--reason flag).",
    );
    await expect(updateGoal(np, { ...call, title: 'x' })).rejects.toMatchObject({ code: 'REASON_REQUIRED' });
    await expect(updateGoal(np, { ...call, title: 'x', reason: ' ' })).rejects.toMatchObject({
      code: 'REASON_REQUIRED',
    });
    const at = tick();
    await updateGoal(np, { ...call, title: 'Ship it', reason: 'clarified' });
    const all = await keys(`s/${sid}/`);
    const after = { title: 'Ship it', description: 'the thing', updated_at: at };
    expect(all[`s/${sid}/goal`]).toBe(JSON.stringify(after));
    expect(JSON.parse(all[`s/${sid}/evt/0000000000000001`]!)).toMatchObject({
      type: 'goal_set',
      reason: null,
      payload: { goal },
    });
    expect(JSON.parse(all[`s/${sid}/evt/0000000000000002`]!)).toEqual({
      seq: 2,
      at,
      type: 'goal_updated',
      reason: 'clarified',
      cmd: 'np test',
      payload: { goal_before: goal, goal_after: after },
    });
    expect(JSON.parse(all[`s/${sid}/meta`]!)).toMatchObject({ last_updated_at: at });
  });
});

describe('adding tasks', () => {
  it('is one commit with the keys of the design document, numbered in the order given', async () => {
    const { np, call, sid, keys, add } = await started();
    const before = await np.store.revision();
    const [first, second] = await add('One', 'Two');
    expect(await np.store.revision()).toBe(before + 1);
    expect(first).toBe(taskHash({ title: 'One', description: 'about One' }, sid).slice(0, 6));
    const at = '2026-01-02T03:04:06.000Z';
    const all = await keys(`s/${sid}/`);
    const seed = {
      id: first,
      title: 'One',
      description: 'about One',
      status: 'pending',
      created_at: at,
      updated_at: at,
    };
    expect(all[`s/${sid}/task/${first}`]).toBe(JSON.stringify({ ...seed, created_seq: 1, version: 1 }));
    expect(all).toMatchObject({
      [`s/${sid}/idx/status/pending/${first}`]: '',
      [`s/${sid}/idx/status/pending/${second}`]: '',
      [`s/${sid}/idx/task_order/0000000000000001`]: first,
      [`s/${sid}/idx/task_order/0000000000000002`]: second,
      [`s/${sid}/meta/evt_seq`]: '0000000000000002',
    });
    expect(JSON.parse(all[`s/${sid}/evt/0000000000000001`]!)).toEqual({
      seq: 1,
      at,
      type: 'task_added',
      reason: null,
      cmd: 'np test',
      payload: { task: { ...seed, created_seq: 1 } },
    });
    expect(JSON.parse(all[`s/${sid}/stats`]!)).toMatchObject({ pending: 2, completed: 0, updated_at: at });
    expect((await showPlan(np, call.where)).tasks.map(({ title }) => title)).toEqual(['One', 'Two']);
  });

  it('again changes nothing, also after the task was reworded or the case differs', async () => {
    const { np, call, add, keys } = await started();
    const [id] = await add('One');
    await updateTasks(np, { ...call, updates: [{ id: id!, title: 'Uno', reason: 'spanish' }] });
    const before = await keys();
    const again = await addTasks(np, { ...call, tasks: [{ title: ' ONE', description: 'About one ' }] });
    expect(again).toMatchObject([{ changed: false, task: { id, title: 'Uno' } }]);
    expect(await keys()).toEqual(before);
    // The current title makes another task, because ids never follow edits.
    expect(await addTasks(np, { ...call, tasks: [{ title: 'Uno', description: 'about One' }] })).toMatchObject([
      { changed: true },
    ]);
  });

  it('twice in one command adds it once', async () => {
    const { add, eventTypes } = await started();
    const [left, right] = await add('Same', 'Same');
    expect(left).toBe(right);
    expect(await eventTypes()).toEqual(['task_added']);
  });

  it('never takes a different task for one that exists: the id grows', async () => {
    const { np, call, sid, keys } = await started();
    const [one, two] = collidingTitles(sid);
    const contents = [one, two].map((title) => ({ title, description: '' }));
    const added = await addTasks(np, { ...call, tasks: contents });
    const [first, second] = added.map(({ task }) => task.id);
    expect(added.every(({ changed }) => changed)).toBe(true);
    expect(first).toHaveLength(6);
    expect(second).toHaveLength(7);
    expect(second!.startsWith(first!)).toBe(true);
    const before = await keys();
    expect(await addTasks(np, { ...call, tasks: contents.toReversed() })).toMatchObject([
      { changed: false, task: { id: second } },
      { changed: false, task: { id: first } },
    ]);
    expect(await keys()).toEqual(before);
    // With the first gone, the second keeps its longer id.
    await deleteTask(np, { ...call, id: first!, reason: 'test' });
    expect(await addTasks(np, { ...call, tasks: contents.slice(1) })).toMatchObject([{ changed: false }]);
    expect((await verify(np, false)).problems).toEqual([]);
  });

  it('tells apart tasks that differ only in where the bar stands', async () => {
    const { np, call } = await started();
    const tasks = [
      { title: 'a|b', description: 'c' },
      { title: 'a', description: 'b|c' },
    ];
    const added = await addTasks(np, { ...call, tasks });
    expect(added.map(({ changed, task }) => [changed, task.id.length])).toEqual([
      [true, 6],
      [true, 7],
    ]);
  });

  it('takes any Unicode in any number of lines up to 64 KiB, and refuses more clearly', async () => {
    const { np, call } = await started();
    const description = `${'é'.repeat(32 * 1024 - 2)}\n\u0000🎉`.slice(0, 32 * 1024 - 1);
    const [added] = await addTasks(np, { ...call, tasks: [{ title: 'weird \u202e\n🇯🇵', description }] });
    expect((await listTasks(np, call.where)).tasks).toEqual([added!.task]);
    const tooLong = { title: 'x', description: 'x'.repeat(64 * 1024 + 1) };
    await expect(async () => addTasks(np, { ...call, tasks: [tooLong] })).rejects.toMatchObject({
      code: 'TEXT_TOO_LONG',
      message: 'The description has 65537 bytes; the limit is 65536 (64 KiB).',
    });
    for (const title of ['', ' \n', 'half \ud800']) {
      await expect(async () => addTasks(np, { ...call, tasks: [{ title, description: '' }] })).rejects.toMatchObject({
        code: 'TEXT_INVALID',
      });
    }
  });

  it('from many writers at once loses none and numbers them without gaps', async () => {
    const { np, path, call, sid } = await started();
    const others = await Promise.all(Array.from({ length: 4 }, () => openNp({ path })));
    const writes = others.flatMap((other, writer) =>
      Array.from({ length: 20 }, (_, index) => {
        const tasks = [{ title: `task ${writer}.${index}`, description: '' }];
        return addTasks(other, { ...call, tasks });
      }),
    );
    await Promise.all(writes);
    const { events } = await readLog(np, { sid }, { after: 0, limit: 1_000 });
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 80 }, (_, index) => index + 1));
    const { tasks } = await listTasks(np, { sid });
    expect(tasks.map(({ created_seq: seq }) => seq)).toEqual(events.map(({ seq }) => seq));
    expect((await verify(np, false)).problems).toEqual([]);
    await Promise.all(others.map((other) => other.close()));
  });
});

describe('updating tasks', () => {
  it('needs a reason exactly where the design document says, and takes one everywhere', async () => {
    const { np, call, add } = await started();
    const [id] = await add('One');
    const update = (rest: { status?: Status; title?: string; description?: string; reason?: string }) =>
      Promise.resolve().then(() => updateTasks(np, { ...call, updates: [{ id: id!, ...rest }] }));
    for (const needy of [
      { status: 'failed' },
      { status: 'cancelled' },
      { title: 'x' },
      { description: 'x' },
    ] as const) {
      await expect(update(needy)).rejects.toMatchObject({ code: 'REASON_REQUIRED', kind: 'usage' });
      await update({ ...needy, reason: 'because' });
    }
    for (const status of ['pending', 'in_progress', 'completed'] as const) await update({ status });
    await update({ status: 'pending', reason: 'again' });
    await expect(update({})).rejects.toMatchObject({ code: 'NOTHING_TO_CHANGE' });
  });

  it('moves the index entry and the count in the same commit', async () => {
    const { np, call, sid, add, keys } = await started();
    const [id] = await add('One');
    await updateTasks(np, { ...call, updates: [{ id: id!, status: 'in_progress' }] });
    const all = await keys(`s/${sid}/`);
    expect(all).not.toHaveProperty(`s/${sid}/idx/status/pending/${id}`);
    expect(all).toHaveProperty(`s/${sid}/idx/status/in_progress/${id}`, '');
    expect(JSON.parse(all[`s/${sid}/stats`]!)).toMatchObject({ pending: 0, in_progress: 1 });
    expect(JSON.parse(all[`s/${sid}/evt/0000000000000002`]!).payload).toEqual({
      task_id: id,
      title: 'One',
      status_before: 'pending',
      status_after: 'in_progress',
      updated_at: '2026-01-02T03:04:06.000Z',
    });
  });

  it('of words and status gives two events in that order, and one version', async () => {
    const { np, call, add, eventTypes } = await started();
    const [id] = await add('One');
    const [updated] = await updateTasks(np, {
      ...call,
      updates: [{ id: id!, title: 'Uno', status: 'failed', reason: 'no time' }],
    });
    expect(updated?.task).toMatchObject({ version: 2, title: 'Uno', status: 'failed' });
    expect(await eventTypes()).toEqual(['task_added', 'task_updated', 'task_status_changed']);
  });

  it('to what it is already leaves nothing behind', async () => {
    const { np, call, add, keys } = await started();
    const [id] = await add('One');
    const before = await keys();
    const [updated] = await updateTasks(np, { ...call, updates: [{ id: id!, status: 'pending' }] });
    expect(updated).toMatchObject({ changed: false });
    expect(await keys()).toEqual(before);
  });

  it('is all or nothing', async () => {
    const { np, call, add, keys } = await started();
    const [id] = await add('One');
    const before = await keys();
    const updates = [
      { id: id!, status: 'completed' },
      { id: 'ffffff', status: 'completed' },
    ] as const;
    await expect(updateTasks(np, { ...call, updates })).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    expect(await keys()).toEqual(before);
  });

  it('that was made for an older version is refused', async () => {
    const { np, call, add } = await started();
    const [id] = await add('One');
    const update = { id: id!, status: 'in_progress', if_version: 1 } as const;
    await updateTasks(np, { ...call, updates: [update] });
    await expect(updateTasks(np, { ...call, updates: [{ ...update, status: 'completed' }] })).rejects.toMatchObject({
      code: 'TASK_STALE',
      kind: 'conflict',
    });
  });
});

describe('claiming, moving and deleting', () => {
  it('gives a task to one of many, exactly once', async () => {
    const { np, path, call, add, eventTypes } = await started();
    const [id] = await add('One');
    const others = await Promise.all(Array.from({ length: 6 }, () => openNp({ path })));
    const claims = await Promise.allSettled(
      others.map((other, index) => claimTask(other, { ...call, id: id!, actor: `agent ${index}` })),
    );
    const won = claims.flatMap((claim) => (claim.status === 'fulfilled' ? [claim.value] : []));
    expect(won).toMatchObject([{ task: { status: 'in_progress' }, changed: true }]);
    for (const claim of claims) {
      if (claim.status === 'rejected') expect(claim.reason).toMatchObject({ code: 'TASK_CLAIMED', kind: 'conflict' });
    }
    const { task } = won[0]!;
    const { actor } = task;
    expect(await claimTask(np, { ...call, id: id!, actor: actor! })).toEqual({ task, changed: false });
    expect(await eventTypes()).toEqual(['task_added', 'task_claimed', 'task_status_changed']);
    const released = await claimTask(np, { ...call, id: id!, actor: actor!, release: true });
    expect(released.task).not.toHaveProperty('actor');
    expect((await listTasks(np, call.where, 'pending')).tasks).toHaveLength(1);
    await updateTasks(np, { ...call, updates: [{ id: id!, status: 'completed' }] });
    await expect(claimTask(np, { ...call, id: id!, actor: 'late' })).rejects.toMatchObject({ code: 'TASK_FINISHED' });
    await Promise.all(others.map((other) => other.close()));
  });

  it('moves a task and keeps order and index together', async () => {
    const { np, call, sid, add, keys } = await started();
    const [a, b, c] = await add('A', 'B', 'C');
    const titles = async () => (await listTasks(np, call.where)).tasks.map(({ title }) => title).join('');
    await moveTask(np, { ...call, id: c!, to: 1 });
    expect(await titles()).toBe('CAB');
    expect(Object.entries(await keys(`s/${sid}/idx/task_order/`)).map(([, id]) => id)).toEqual([c, a, b]);
    await moveTask(np, { ...call, id: c!, after: b! });
    expect(await titles()).toBe('ABC');
    expect(JSON.parse((await keys())[`s/${sid}/task/${a}`]!)).not.toHaveProperty('order_seq');
    await moveTask(np, { ...call, id: b!, before: a! });
    expect(await titles()).toBe('BAC');
    await add('D');
    expect(await titles()).toBe('BACD');
    expect((await verify(np, false)).problems).toEqual([]);
  });

  it('deletes with a reason, and the log keeps what was deleted', async () => {
    const { np, call, sid, add, keys } = await started();
    const [id] = await add('One', 'Two');
    await expect(async () => deleteTask(np, { ...call, id: id! })).rejects.toMatchObject({ code: 'REASON_REQUIRED' });
    await deleteTask(np, { ...call, id: id!, reason: 'duplicate' });
    const all = await keys(`s/${sid}/`);
    expect(Object.keys(all).filter((key) => key.includes(id!))).toEqual([]);
    expect(JSON.parse(all[`s/${sid}/evt/0000000000000003`]!)).toMatchObject({
      type: 'task_deleted',
      reason: 'duplicate',
      payload: { task: { id, title: 'One' } },
    });
    expect((await verify(np, false)).problems).toEqual([]);
  });
});

/** Finds two titles among ten thousand whose ids share six digits. */
function collidingTitles(sid: string): readonly [string, string] {
  const titleByStem = new Map<string, string>();
  for (let index = 0; ; index += 1) {
    const title = `task ${index}`;
    const stem = taskHash({ title, description: '' }, sid).slice(0, 6);
    const other = titleByStem.get(stem);
    if (other !== undefined) return [other, title];
    titleByStem.set(stem, title);
  }
}
