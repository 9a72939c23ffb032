import { describe, expect, it } from 'vitest';
import { openStarted, openStarted as started } from '../../test/harness.ts';
import {
  addTasks,
  archiveSession,
  claimTask,
  deleteTask,
  exportSession,
  findTasks,
  listTasks,
  moveTask,
  openNp,
  readLog,
  setGoal,
  showPlan,
  startSession,
  type Status,
  undoLastChange,
  updateGoal,
  updateTasks,
  verify,
} from '../index.ts';
import { taskHash } from '../model/ids.ts';

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
    // Adding a task with the new title creates another task, because ids do not follow edits.
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
    // After the first task is deleted, the second keeps its longer id.
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
    for (const title of ['', ' \n', '\u200b\u2060', 'half \ud800']) {
      await expect(async () => addTasks(np, { ...call, tasks: [{ title, description: '' }] })).rejects.toMatchObject({
        code: 'TEXT_INVALID',
      });
    }
  });

  it('from many writers at once loses none and numbers them without gaps', async () => {
    const { np, database, call, sid } = await started();
    const others = await Promise.all(Array.from({ length: 4 }, () => openNp(database)));
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

describe('the order of tasks', () => {
  it('makes a task ready when everything before it is done or no longer needed', async () => {
    const { np, call, add } = await openStarted();
    const [a, b] = (await add('A', 'B')) as [string, string];
    const [c] = await addTasks(np, { ...call, tasks: [{ title: 'C', description: '', after: [a.slice(0, 5), b, a] }] });
    expect(c?.task.after).toEqual([a, b]);
    const ready = async () =>
      (await listTasks(np, call.where, undefined, true)).tasks.map(({ title }) => title).join('');
    const set = (id: string, status: Status) => updateTasks(np, { ...call, updates: [{ id, status, reason: 'x' }] });
    expect(await ready()).toBe('AB');
    await set(a, 'completed');
    await set(b, 'failed');
    expect(await ready()).toBe('');
    await set(b, 'cancelled');
    expect(await ready()).toBe('C');
    const unknown = { title: 'D', description: '', after: ['ffffff'] };
    await expect(addTasks(np, { ...call, tasks: [unknown] })).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
  });

  it('offers a task whose claim has expired', async () => {
    const { np, call, add, tick } = await openStarted();
    const [id] = (await add('A')) as [string];
    await claimTask(np, { ...call, id, actor: 'ada', for: '1s' });
    expect((await listTasks(np, call.where, undefined, true)).tasks).toEqual([]);
    tick();
    expect((await listTasks(np, call.where, undefined, true)).tasks).toMatchObject([{ id }]);
  });
});

describe('notes on a task', () => {
  it('come with or without another change, from anybody, and go with the task', async () => {
    const { np, call, sid, add, keys, tick, eventTypes } = await openStarted();
    const [id] = (await add('A')) as [string];
    await claimTask(np, { ...call, id, actor: 'ada' });
    const at = tick();
    const [noted] = await updateTasks(np, { ...call, actor: 'bob', updates: [{ id, note: 'look at src/a.ts' }] });
    expect(noted).toMatchObject({ changed: true, task: { version: 2 } });
    const done = { id, status: 'completed', note: 'fixed' } as const;
    await updateTasks(np, { ...call, actor: 'ada', updates: [done] });
    expect((await showPlan(np, call.where)).notes).toEqual([
      { task_id: id, seq: 4, text: 'look at src/a.ts', at, actor: 'bob' },
      { task_id: id, seq: 6, text: 'fixed', at, actor: 'ada' },
    ]);
    expect((await eventTypes()).slice(3)).toEqual(['task_noted', 'task_status_changed', 'task_noted']);
    expect(Object.keys(await keys(`s/${sid}/note/`))).toEqual(
      [4, 6].map((seq) => `s/${sid}/note/${id}/000000000000000${seq}`),
    );
    await expect(async () => updateTasks(np, { ...call, updates: [{ id, note: ' ' }] })).rejects.toMatchObject({
      code: 'TEXT_INVALID',
    });
    const exported = await exportSession(np, call.where);
    await deleteTask(np, { ...call, id, reason: 'duplicate' });
    expect(await keys(`s/${sid}/note/`)).toEqual({});
    await undoLastChange(np, call);
    expect(await exportSession(np, call.where)).toMatchObject({ notes: exported.notes });
    expect((await verify(np, false)).problems).toEqual([]);
    await expect(undoLastChange(np, { ...call, actor: 'bob' })).resolves.toMatchObject({ tasks: [] });
    expect((await showPlan(np, call.where)).notes).toHaveLength(1);
  });
});

describe('finding tasks', () => {
  it('looks for all words in titles, descriptions, reasons and notes of every session', async () => {
    const { np, call, add, tick } = await openStarted();
    const [id] = (await add('Repair the cart', 'Other')) as [string];
    await updateTasks(np, { ...call, updates: [{ id, note: 'see SESSION.ts' }] });
    await archiveSession(np, call);
    tick();
    await startSession(np, { directory: '/elsewhere', cmd: 'np s' });
    await addTasks(np, { where: { directory: '/elsewhere' }, cmd: 'x', tasks: [{ title: 'cart', description: '' }] });
    const find = async (...words: string[]) => (await findTasks(np, { words, limit: 9 })).map(({ task }) => task.title);
    expect(await find('CART')).toEqual(['cart', 'Repair the cart']);
    expect(await find('cart', 'session')).toEqual(['Repair the cart']);
    expect(await find('about other')).toEqual(['Other']);
    expect(await find('nowhere')).toEqual([]);
    expect(await findTasks(np, { words: ['cart'], limit: 1 })).toHaveLength(1);
  });
});

describe('moving and deleting', () => {
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
