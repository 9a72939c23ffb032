import { expect, it } from 'vitest';
import { openStarted } from '../../test/harness.ts';
import { claimTask, deleteTask, listTasks, openNp, readLog, releaseTask, updateTasks } from '../index.ts';

it('gives a task to one of many, exactly once', async () => {
  const { np, database, call, add, eventTypes } = await openStarted();
  const [id] = (await add('One')) as [string];
  const others = await Promise.all(Array.from({ length: 6 }, () => openNp(database)));
  const claims = await Promise.allSettled(
    others.map((other, index) => claimTask(other, { ...call, id, actor: `agent ${index}` })),
  );
  const won = claims.flatMap((claim) => (claim.status === 'fulfilled' ? [claim.value] : []));
  expect(won).toMatchObject([{ task: { status: 'in_progress' }, changed: true }]);
  for (const claim of claims) {
    if (claim.status === 'rejected') expect(claim.reason).toMatchObject({ code: 'TASK_CLAIMED', kind: 'conflict' });
  }
  const { task } = won[0]!;
  const { actor } = task;
  expect(await claimTask(np, { ...call, id, actor })).toEqual({ task, changed: false });
  expect(await eventTypes()).toEqual(['task_added', 'task_claimed', 'task_status_changed']);
  const released = await releaseTask(np, { ...call, id, actor });
  expect(released.task).not.toHaveProperty('actor');
  expect((await listTasks(np, call.where, 'pending')).tasks).toHaveLength(1);
  await updateTasks(np, { ...call, updates: [{ id, status: 'completed' }] });
  await expect(claimTask(np, { ...call, id, actor: 'late' })).rejects.toMatchObject({ code: 'TASK_FINISHED' });
  await Promise.all(others.map((other) => other.close()));
});

it('keeps everybody but the owner from finishing, reopening, releasing and deleting the task, unless forced', async () => {
  const { np, call, add, keys } = await openStarted();
  const [id] = (await add('One')) as [string];
  await claimTask(np, { ...call, id, actor: 'ada' });
  const before = await keys();
  const refused = { code: 'TASK_CLAIMED', kind: 'conflict', details: { id, actor: 'ada' } };
  for (const actor of ['bob', undefined]) {
    for (const status of ['completed', 'failed', 'cancelled', 'pending'] as const) {
      const updates = [{ id, status, reason: 'why' }];
      await expect(updateTasks(np, { ...call, actor, updates })).rejects.toMatchObject(refused);
    }
    await expect(releaseTask(np, { ...call, actor, id })).rejects.toMatchObject(refused);
    await expect(deleteTask(np, { ...call, actor, id, reason: 'why' })).rejects.toMatchObject(refused);
  }
  expect(await keys()).toEqual(before);
  await updateTasks(np, { ...call, actor: 'bob', updates: [{ id, title: 'Uno', reason: 'clearer' }] });
  const done = { ...call, updates: [{ id, status: 'completed' }] } as const;
  const [forced] = await updateTasks(np, { ...done, actor: 'bob', force: true });
  expect(forced?.task).toMatchObject({ status: 'completed', actor: 'ada' });
  const { events } = await readLog(np, call.where, { limit: 1 });
  expect(events).toMatchObject([{ type: 'task_status_changed', actor: 'bob' }]);
  // The claim of a finished task has no effect on other actors.
  await updateTasks(np, { ...call, actor: 'bob', updates: [{ id, status: 'pending' }] });
  await claimTask(np, { ...call, id, actor: 'ada' });
  expect(await updateTasks(np, { ...done, actor: 'ada' })).toMatchObject([{ changed: true }]);
});

it('is taken over with a reason, and the log names both actors', async () => {
  const { np, call, add } = await openStarted();
  const [id] = (await add('One')) as [string];
  await claimTask(np, { ...call, id, actor: 'ada' });
  const takeover = { ...call, id, actor: 'bob', takeover: true };
  await expect(async () => claimTask(np, takeover)).rejects.toMatchObject({ code: 'REASON_REQUIRED' });
  const { task } = await claimTask(np, { ...takeover, reason: 'ada is gone' });
  expect(task).toMatchObject({ actor: 'bob', status: 'in_progress' });
  const { events } = await readLog(np, call.where, { limit: 1 });
  expect(events).toMatchObject([{ reason: 'ada is gone', payload: { actor: 'bob', actor_before: 'ada' } }]);
  await expect(claimTask(np, { ...call, id, actor: 'ada' })).rejects.toMatchObject({ code: 'TASK_CLAIMED' });
});

it('stops binding others when it expires, and its owner can renew it', async () => {
  const { np, call, add, tick } = await openStarted();
  const [id] = (await add('One')) as [string];
  const claimed = await claimTask(np, { ...call, id, actor: 'ada', for: '2s' });
  expect(claimed.task.claimed_until).toBe('2026-01-02T03:04:08.000Z');
  tick();
  await expect(claimTask(np, { ...call, id, actor: 'bob' })).rejects.toThrow('until 2026-01-02T03:04:08.000Z');
  const renewed = await claimTask(np, { ...call, id, actor: 'ada', for: '3s' });
  expect(renewed).toMatchObject({ changed: true, task: { claimed_until: '2026-01-02T03:04:10.000Z' } });
  for (let second = 0; second < 3; second++) tick();
  const { task } = await claimTask(np, { ...call, id, actor: 'bob' });
  expect(task).toMatchObject({ actor: 'bob' });
  expect(task).not.toHaveProperty('claimed_until');
});

it('needs an actor and a possible duration', async () => {
  const { np, call, add } = await openStarted();
  const [id] = (await add('One')) as [string];
  await expect(async () => claimTask(np, { ...call, id })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  for (const duration of ['', '0m', '5', '1w', '99999d', '-1m']) {
    const request = { ...call, id, actor: 'ada', for: duration };
    await expect(async () => claimTask(np, request)).rejects.toMatchObject({ code: 'INPUT_INVALID', kind: 'usage' });
  }
});
