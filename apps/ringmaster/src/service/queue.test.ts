import { HOUR, MINUTE, SECOND } from '@holdfast/base';
import { restoreToRevision } from '@holdfast/sqlite';
import { describe, expect, it } from 'vitest';

import { openWithProject, testClock } from '../../test/harness.ts';
import { retryDelaySeconds } from '../model/attempt.ts';
import { defaultConfig } from '../model/config.ts';
import { listEvents } from '../store/events.ts';
import type { ExpiredLeases } from '../store/meta.ts';
import { existingTask, listReady } from '../store/tasks.ts';
import { existingWorker } from '../store/workers.ts';
import { addDependency } from './graph.ts';
import { answerInquiry, inquire } from './inquiries.ts';
import { claim, heartbeat, reapExpired, report } from './queue.ts';
import { addTask, cancelTask, editTask, setTaskStatus } from './tasks.ts';
import { addWorker, pauseWorkers, syncWorkers } from './workers.ts';

const open = async () => {
  const clock = testClock(Date.now());
  return { clock, rm: await openWithProject({ clock }) };
};

describe('claim', () => {
  it('writes task, attempt, worker and event in one commit, and returns the task', async () => {
    const { rm } = await open();
    const { id } = await addTask(rm, { title: 'A' });
    const before = rm.store.database.revision();
    const claimed = await claim(rm, { worker: 'w1', pid: process.pid });
    expect(rm.store.database.revision()).toBe(before + 1);
    expect(claimed?.task).toMatchObject({ id, title: 'A', status: 'assigned', worker_id: 'w1', attempts: 1 });
    expect(claimed?.attempt).toMatchObject({ number: 1, pid: process.pid, pid_start: expect.any(String) as string });
    expect(existingWorker(rm.store.reader, 'w1')).toMatchObject({ status: 'busy', current_task_id: id });
    expect(listEvents(rm.store.reader, { limit: 1 })).toMatchObject([
      { event_type: 'task_assigned', actor_type: 'worker', actor_id: 'w1' },
    ]);
  });

  it('describes to the journal all that it changed', async () => {
    const { rm } = await open();
    await addTask(rm, { title: 'A' });
    const { store } = rm;
    let runs = 0;
    const counted: typeof store = {
      ...store,
      writeDescribed: (note, body) =>
        store.writeDescribed(note, (tx, tell) => {
          runs += 1;
          return body(tx, tell);
        }),
    };
    const before = store.database.revision();
    const dump = (): unknown[] =>
      ['tasks', 'workers', 'attempts', 'events'].map((table) => store.reader.all(`SELECT * FROM ${table}`));
    const then = dump();
    await claim({ ...rm, store: counted }, { worker: 'w1' });
    expect(runs).toBe(1);
    await restoreToRevision(store.database, before);
    expect(dump()).toEqual(then);
  });

  it('uses the lowest free slot, and none above a limit that was lowered', async () => {
    const { rm } = await open();
    for (let n = 0; n < 5; n++) await addTask(rm, { title: `T${n}` });
    await addWorker(rm, { worker: 'three', type: 'custom', command: 'x', max_concurrent: 3 });
    const held = [await claim(rm, { worker: 'three' }), await claim(rm, { worker: 'three' })];
    held.push(await claim(rm, { worker: 'three' }));
    expect(held.map((one) => one?.attempt.slot)).toEqual([1, 2, 3]);
    await expect(claim(rm, { worker: 'three' })).rejects.toMatchObject({ code: 'WORKER_UNAVAILABLE' });
    await report(rm, { token: held[0]!.attempt.id, status: 'completed' });
    await rm.store.write('lower', (tx) => tx.run(`UPDATE workers SET max_concurrent = 2 WHERE id = 'three'`));
    await expect(claim(rm, { worker: 'three' })).rejects.toMatchObject({ code: 'WORKER_UNAVAILABLE' });
    await report(rm, { token: held[2]!.attempt.id, status: 'completed' });
    expect((await claim(rm, { worker: 'three' }))?.attempt.slot).toBe(1);
  });

  it('respects links, parents, capabilities, limits, epics and deferral', async () => {
    const { rm, clock } = await open();
    const epic = await addTask(rm, { title: 'E', type: 'epic', priority: 'P0' });
    const gate = await addTask(rm, { title: 'G', priority: 'P4' });
    const part = await addTask(rm, { title: 'P', parent: epic.id, priority: 'P0' });
    await addDependency(rm, { task: epic.id, depends_on: gate.id });
    await addTask(rm, { title: 'R', priority: 'P0', capabilities: ['rust'] });
    const later = await addTask(rm, { title: 'L', priority: 'P0' });
    await editTask(rm, { task: later.id, defer_until: new Date(clock.now() + HOUR).toISOString() });
    const first = await claim(rm, { worker: 'w1' });
    expect(first?.task.id).toBe(gate.id);
    await expect(claim(rm, { worker: 'w1' })).rejects.toMatchObject({ code: 'WORKER_UNAVAILABLE' });
    await report(rm, { token: first!.attempt.id, status: 'completed' });
    expect((await claim(rm, { worker: 'w1' }))?.task.id).toBe(part.id);
    await addWorker(rm, {
      worker: 'rusty',
      type: 'custom',
      command: 'x',
      capabilities: ['rust', 'go'],
      max_concurrent: 2,
    });
    expect((await claim(rm, { worker: 'rusty' }))?.task.title).toBe('R');
    expect(await claim(rm, { worker: 'rusty' })).toBeUndefined();
    clock.advance(2 * HOUR);
    expect((await claim(rm, { worker: 'rusty' }))?.task.id).toBe(later.id);
    await expect(claim(rm, { worker: 'nobody' })).rejects.toMatchObject({ code: 'WORKER_NOT_FOUND' });
  });

  it('agrees with the list of ready work', async () => {
    const { rm } = await open();
    for (let n = 0; n < 12; n++) {
      const parent = n > 3 && n % 3 === 0 ? `t${n - 3}` : undefined;
      await addTask(rm, { id: `t${n}`, title: `T${n}`, parent, depends_on: n % 4 === 1 ? [`t${n - 1}`] : [] });
    }
    await addWorker(rm, { worker: 'many', type: 'custom', command: 'x', max_concurrent: 50 });
    const ready = listReady(rm.store.reader, { limit: 100, allTypes: false }).map(({ id }) => id);
    const got: string[] = [];
    for (let one = await claim(rm, { worker: 'many' }); one !== undefined; one = await claim(rm, { worker: 'many' })) {
      got.push(one.task.id);
    }
    expect(got).toEqual(ready);
  });
});

describe('lease', () => {
  it('is renewed by heartbeats, runs out, and then the token is worth nothing', async () => {
    const { rm, clock } = await open();
    await addTask(rm, { title: 'A' });
    const first = await claim(rm, { worker: 'w1' });
    const token = first!.attempt.id;
    clock.advance(4 * MINUTE);
    expect(await heartbeat(rm, { token, progress: 'half' })).toMatchObject({ cancel: false });
    expect(existingTask(rm.store.reader, first!.task.id).status).toBe('in_progress');
    clock.advance(4 * MINUTE);
    expect(await reapExpired(rm)).toEqual([]);
    clock.advance(2 * MINUTE);
    expect(await reapExpired(rm)).toEqual([first!.task.id]);
    expect(existingTask(rm.store.reader, first!.task.id)).toMatchObject({
      status: 'ready',
      failures: 0,
      worker_id: null,
    });
    await expect(heartbeat(rm, { token })).rejects.toMatchObject({ code: 'STALE_TOKEN' });
    await expect(report(rm, { token, status: 'completed' })).rejects.toMatchObject({ code: 'STALE_TOKEN' });
    const second = await claim(rm, { worker: 'w1' });
    expect(second!.attempt.id).toBeGreaterThan(token);
    await report(rm, { token: second!.attempt.id, status: 'completed' });
    await expect(report(rm, { token: second!.attempt.id, status: 'failed' })).rejects.toMatchObject({
      code: 'STALE_TOKEN',
    });
    expect(existingTask(rm.store.reader, first!.task.id).status).toBe('done');
  });

  it('is for a time that a date can say', async () => {
    const { rm } = await open();
    await addTask(rm, { title: 'A' });
    await expect(claim(rm, { worker: 'w1', lease_seconds: 1e308 })).rejects.toMatchObject({ code: 'TEXT_INVALID' });
  });

  it.each<{ readonly who: string; readonly expiredLeases: ExpiredLeases | undefined }>([
    { who: 'looks again and again', expiredLeases: new Map() },
    { who: 'looks once', expiredLeases: undefined },
  ])(
    'is given as long again to a working process by whoever $who, also when the clock jumped',
    async ({ expiredLeases }) => {
      const { rm, clock } = await open();
      await addTask(rm, { title: 'A' });
      const { attempt } = (await claim(rm, { worker: 'w1', pid: process.pid }))!;
      clock.advance(10 * HOUR);
      expect(await reapExpired(rm, expiredLeases)).toEqual([]);
      clock.advance(10 * HOUR);
      expect(await reapExpired(rm, expiredLeases)).toEqual([]);
      await heartbeat(rm, { token: attempt.id, lease_seconds: 0.02 });
      clock.advance(10 * HOUR);
      expect(await reapExpired(rm, expiredLeases)).toEqual([]);
      await expect.poll(() => reapExpired(rm, expiredLeases)).toHaveLength(1);
    },
  );

  it('delivers a cancellation, or takes the task away at once', async () => {
    const { rm } = await open();
    const { id } = await addTask(rm, { title: 'A' });
    const { attempt } = (await claim(rm, { worker: 'w1' }))!;
    await expect(editTask(rm, { task: id, status: 'done' })).rejects.toMatchObject({ code: 'TASK_RUNNING' });
    const { id: other } = await addTask(rm, { title: 'B' });
    // If one change is rejected, none is made.
    await expect(setTaskStatus(rm, { tasks: [other, id], status: 'done' })).rejects.toMatchObject({
      code: 'TASK_RUNNING',
    });
    expect(existingTask(rm.store.reader, other).status).toBe('ready');
    await cancelTask(rm, { task: id, now: false });
    expect(await heartbeat(rm, { token: attempt.id })).toMatchObject({ cancel: true });
    expect(await cancelTask(rm, { task: id, now: true })).toMatchObject({ status: 'draft' });
    await expect(report(rm, { token: attempt.id, status: 'completed' })).rejects.toMatchObject({ code: 'STALE_TOKEN' });
  });

  it('does not begin again by itself what was cancelled, however the worker ends', async () => {
    const { rm, clock } = await open();
    const { id } = await addTask(rm, { title: 'A' });
    const ends: ((token: number) => Promise<unknown>)[] = [
      (token) => report(rm, { token, status: 'released' }),
      (token) => report(rm, { token, status: 'failed', failure_class: 'cancelled' }),
      (token) => report(rm, { token, status: 'failed' }),
      async () => {
        clock.advance(HOUR);
        return reapExpired(rm);
      },
    ];
    for (const end of ends) {
      const { attempt } = (await claim(rm, { worker: 'w1' }))!;
      await cancelTask(rm, { task: id, now: false });
      await end(attempt.id);
      expect(existingTask(rm.store.reader, id)).toMatchObject({ status: 'draft', failures: 0 });
      await editTask(rm, { task: id, status: 'ready' });
    }
  });
});

describe('failures', () => {
  it('of the task are counted, slow down, and end it; others are not', async () => {
    const { rm, clock } = await open();
    const { id } = await addTask(rm, { title: 'A', max_attempts: 2 });
    const fail = async (failure_class: 'task' | 'infrastructure' | 'rate_limit') => {
      const { attempt } = (await claim(rm, { worker: 'w1' }))!;
      return report(rm, { token: attempt.id, status: 'failed', failure_class, reason: 'why' });
    };
    expect(await fail('infrastructure')).toMatchObject({ status: 'ready', failures: 0, next_eligible_at: null });
    expect(await fail('rate_limit')).toMatchObject({ status: 'ready', failures: 0 });
    await expect(claim(rm, { worker: 'w1' })).rejects.toMatchObject({ code: 'WORKER_UNAVAILABLE' });
    clock.advance(6 * MINUTE);
    expect(await fail('task')).toMatchObject({ status: 'ready', failures: 1, attempts: 3 });
    expect(await claim(rm, { worker: 'w1' })).toBeUndefined();
    clock.advance(40 * SECOND);
    expect(await fail('task')).toMatchObject({ status: 'failed', failures: 2, last_failure: 'why' });
    expect(existingWorker(rm.store.reader, 'w1')).toMatchObject({
      tasks_failed: 2,
      tasks_completed: 0,
      status: 'idle',
    });
    const waits = await addTask(rm, { title: 'B', depends_on: [id] });
    expect(await claim(rm, { worker: 'w1' })).toBeUndefined();
    await editTask(rm, { task: id, status: 'done' });
    expect((await claim(rm, { worker: 'w1' }))?.task.id).toBe(waits.id);
  });

  it('of a service park its worker for the time that it names, ever longer, and are told once', async () => {
    const { rm, clock } = await open();
    const { id } = await addTask(rm, { title: 'A' });
    const parkedSeconds = async (failure_class: 'rate_limit' | 'infrastructure'): Promise<number> => {
      const { attempt } = (await claim(rm, { worker: 'w1' }))!;
      const reason = 'Rate limit reached. Please try again in 20s.';
      await report(rm, { token: attempt.id, status: 'failed', failure_class, reason });
      const { parked_until: until } = existingWorker(rm.store.reader, 'w1');
      return (Date.parse(until ?? '') - clock.now()) / SECOND;
    };
    expect(await parkedSeconds('rate_limit')).toBe(21);
    clock.advance(22 * SECOND);
    const second = await parkedSeconds('rate_limit');
    expect(second).toBeGreaterThanOrEqual(40);
    expect(second).toBeLessThanOrEqual(48);
    clock.advance(MINUTE);
    await parkedSeconds('infrastructure');
    expect(existingWorker(rm.store.reader, 'w1').park_count).toBe(2);
    await report(rm, { token: (await claim(rm, { worker: 'w1' }))!.attempt.id, status: 'completed' });
    expect(existingWorker(rm.store.reader, 'w1')).toMatchObject({
      park_count: 0,
      parked_until: null,
      parked_kind: null,
    });
    expect(existingTask(rm.store.reader, id)).toMatchObject({ status: 'done', failures: 0, attempts: 4 });
    const events = listEvents(rm.store.reader, { entity: 'w1', limit: 100 }).map(({ event_type: type }) => type);
    expect(events.filter((type) => /parked|recovered/.test(type))).toEqual(['worker_parked', 'worker_recovered']);
  });

  it("to keep a lease are nobody's once, and slow a task down when they come one after the other", async () => {
    const { rm, clock } = await open();
    const { id } = await addTask(rm, { title: 'A' });
    const lose = async () => {
      await claim(rm, { worker: 'w1' });
      clock.advance(6 * MINUTE);
      expect(await reapExpired(rm)).toEqual([id]);
      return existingTask(rm.store.reader, id);
    };
    expect(await lose()).toMatchObject({ status: 'ready', failures: 0, next_eligible_at: null });
    expect(await lose()).toMatchObject({ status: 'ready', failures: 0, next_eligible_at: expect.any(String) });
    expect(await claim(rm, { worker: 'w1' })).toBeUndefined();
    clock.advance(MINUTE);
    const { attempt } = (await claim(rm, { worker: 'w1' }))!;
    await report(rm, { token: attempt.id, status: 'released' });
    expect(await lose()).toMatchObject({ next_eligible_at: null });
  });

  it('to keep a lease, time and again, are shown to a person; by hand it is begun afresh', async () => {
    const { rm, clock } = await open();
    const { id } = await addTask(rm, { title: 'A' });
    const lose = async () => {
      await claim(rm, { worker: 'w1' });
      clock.advance(HOUR);
      await reapExpired(rm);
      clock.advance(HOUR);
      return existingTask(rm.store.reader, id);
    };
    for (let n = 1; n < defaultConfig.queue.max_interruptions; n++)
      expect(await lose()).toMatchObject({ status: 'ready' });
    expect(await lose()).toMatchObject({
      status: 'blocked',
      blocked_reason: expect.stringContaining('5 times'),
      failures: 0,
    });
    expect(await claim(rm, { worker: 'w1' })).toBeUndefined();
    await editTask(rm, { task: id, status: 'ready' });
    expect(await lose()).toMatchObject({ status: 'ready', blocked_reason: null });
  });

  it('wait longer each time, up to an hour, and not all equally long', () => {
    const settings = defaultConfig.queue;
    expect([1, 2, 3, 20].map((n) => retryDelaySeconds(n, settings, () => 0))).toEqual([30, 60, 120, 3_600]);
    expect(retryDelaySeconds(1, settings, () => 1)).toBe(36);
  });
});

describe('workers', () => {
  it('come from ringmaster.toml, follow it, and drain when it drops them', async () => {
    const named = {
      ...defaultConfig.workers[0],
      name: 'c1',
      id: '',
      type: 'codex',
      command: 'codex',
      args: ['exec'],
      prompt_flag: '',
      working_dir: '',
      timeout_seconds: 60,
      max_concurrent: 1,
      silence_seconds: 0,
      max_iterations: 0,
      prompt: '',
      output: '',
      permission_mode: '',
      allowed_tools: [],
      model: '',
      extra_args: [],
      rate_limit_patterns: [],
      capabilities: [],
    };
    const { rm } = await open();
    await syncWorkers({ ...rm, config: { ...rm.config, workers: [named] } });
    const before = existingWorker(rm.store.reader, 'c1');
    await syncWorkers({ ...rm, config: { ...rm.config, workers: [{ ...named, timeout_seconds: 90 }] } });
    const after = existingWorker(rm.store.reader, 'c1');
    expect(after.timeout_seconds).toBe(90);
    expect(after.config_version).not.toBe(before.config_version);
    await addTask(rm, { title: 'A' });
    expect((await claim(rm, { worker: 'c1' }))?.attempt.config_version).toBe(after.config_version);
    await syncWorkers({ ...rm, config: { ...rm.config, workers: [] } });
    expect(existingWorker(rm.store.reader, 'c1')).toMatchObject({ status: 'busy', is_draining: 1 });
    await report(rm, { token: 1, status: 'completed' });
    expect(existingWorker(rm.store.reader, 'c1')).toMatchObject({ status: 'offline', tasks_completed: 1 });
    expect(existingWorker(rm.store.reader, 'w1').status).toBe('idle');
  });

  it('that are off get nothing', async () => {
    const { rm } = await open();
    await addTask(rm, { title: 'A' });
    await pauseWorkers(rm, { worker: 'w1', paused: true });
    await expect(claim(rm, { worker: 'w1' })).rejects.toMatchObject({ code: 'WORKER_UNAVAILABLE' });
    await pauseWorkers(rm, { worker: 'w1', paused: false });
    expect(await claim(rm, { worker: 'w1' })).toBeDefined();
  });
});

describe('decisions and questions', () => {
  it('hold their task up, or do not', async () => {
    const { rm } = await open();
    const { id } = await addTask(rm, { title: 'A' });
    const decision = await inquire(rm, { task: id, kind: 'decision', question: 'Which?', options: ['x', 'y'] });
    const question = await inquire(rm, { task: id, kind: 'question', question: 'Why?' });
    expect([decision.id, question.id]).toEqual([`${id}-d1`, `${id}-q1`]);
    expect(await claim(rm, { worker: 'w1' })).toBeUndefined();
    await expect(answerInquiry(rm, { inquiry: decision.id, answer: 'z' })).rejects.toMatchObject({
      code: 'ANSWER_NOT_OFFERED',
    });
    await answerInquiry(rm, { inquiry: decision.id, answer: ' X ' });
    expect((await claim(rm, { worker: 'w1' }))?.task.id).toBe(id);
    await expect(answerInquiry(rm, { inquiry: decision.id, answer: 'y' })).rejects.toMatchObject({
      code: 'NOT_AN_INQUIRY',
    });
  });
});
