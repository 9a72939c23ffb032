import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryAudiobooks, temporaryFolder } from '../../../test/audiobooks.ts';
import { ownerOfThisProcess } from '../../adapters/process.ts';
import type { Operation } from '../../model/operation.ts';
import { operationJournal, operationLogs, operations } from '../../store/definitions.ts';
import { pageOfOperations, readLog, readOperation } from '../../store/operations.ts';
import { addLibraryAt } from '../libraries.ts';
import { BackgroundOperations } from './background.ts';
import { pruneOperations } from './prune-operations.ts';
import { Heartbeats, recoverInterrupted, recoverOperations } from './recover-operations.ts';
import { cancelOperation, OPERATION_LEASE_MS, runOperation } from './run-operation.ts';

const scan = { type: 'scan', target: 'library:1', params: {}, createdBy: 'test' } as const;
const DEAD = JSON.stringify({ ...JSON.parse(ownerOfThisProcess()), start: '1' });

describe('an operation', () => {
  it('keeps its progress, its numbered log and its result', async () => {
    const audiobooks = await temporaryAudiobooks();
    const done = await runOperation(audiobooks, scan, async (context) => {
      for (let line = 1; line <= 250; line++) context.log('info', `line ${line}`);
      context.progress(3, 7, 'files');
      return { result: { found: 1 }, undoable: true };
    });
    expect(done).toMatchObject({ status: 'completed', result: { found: 1 }, undoable: true, owner: null });
    expect(done.progress).toEqual({ current: 3, total: 7, phase: 'files' });
    const lines = await readLog(audiobooks.store, done.id, 0, 1_000);
    expect(lines.map(({ seq, message }) => [seq, message])).toEqual(
      Array.from({ length: 250 }, (_, index) => [index + 1, `line ${index + 1}`]),
    );
    expect((await audiobooks.store.verify()).problems).toEqual([]);
  });

  it('is alone on its target, and the same request is answered once', async () => {
    const audiobooks = await temporaryAudiobooks();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const request = { ...scan, idempotencyKey: 'k1' };
    let runs = 0;
    const body = async () => {
      runs += 1;
      await held;
      return { result: {} };
    };
    const first = runOperation(audiobooks, request, body);
    await expect.poll(() => runs).toBe(1);
    const refused = runOperation(audiobooks, scan, async () => ({ result: {} }));
    await expect(refused).rejects.toMatchObject({ code: 'OPERATION_RUNNING', kind: 'conflict' });
    const again = await runOperation(audiobooks, request, body);
    expect(again.status).toBe('running');
    release();
    expect((await first).id).toBe(again.id);
    expect(runs).toBe(1);
    await runOperation(audiobooks, scan, async () => ({ result: {} }));
  });

  it('is cancelled by anybody who can reach the store', async () => {
    const audiobooks = await temporaryAudiobooks();
    let id = '';
    const running = runOperation(audiobooks, scan, async (context) => {
      id = context.operationId;
      while (!context.signal.aborted) await sleep(5);
      context.signal.throwIfAborted();
      return { result: {} };
    });
    const ended = running.catch((error: unknown) => error);
    await expect.poll(() => id).not.toBe('');
    await cancelOperation(audiobooks, id);
    expect(await ended).toMatchObject({ code: 'OPERATION_CANCELLED' });
    expect(await readOperation(audiobooks.store, id)).toMatchObject({ status: 'cancelled' });
    await expect(cancelOperation(audiobooks, id)).rejects.toMatchObject({ code: 'OPERATION_FINISHED' });
  });

  it('that fails says why', async () => {
    const audiobooks = await temporaryAudiobooks();
    const failing = runOperation(audiobooks, scan, () => Promise.reject(new Error('disk on fire')));
    await expect(failing).rejects.toThrow('disk on fire');
    const { items } = await pageOfOperations(audiobooks.store, 'scan', { limit: 5 });
    expect(items).toMatchObject([{ status: 'failed', error: 'disk on fire' }]);
  });

  it('whose process died is finished by the next start, by one of several only', async () => {
    const audiobooks = await temporaryAudiobooks();
    const done = await runOperation(audiobooks, scan, async (context) => {
      await context.journal.plan([
        { kind: 'x', data: { n: 1 } },
        { kind: 'x', data: { n: 2 } },
      ]);
      await context.journal.mark([1], 'done');
      return { result: {} };
    });
    const abandoned: Operation = { ...done, status: 'running', owner: DEAD, completed_at: null };
    await audiobooks.store.transact((tx) => tx.put(operations, { id: done.id }, abandoned));
    const steps: unknown[] = [];
    const recoverers = {
      scan: async (_: Operation, context: Parameters<Parameters<typeof runOperation>[2]>[0]) => {
        steps.push(...(await context.journal.steps()));
        return { result: { recovered: true } };
      },
    };
    const both = await Promise.all([
      recoverOperations(audiobooks, recoverers),
      recoverOperations(audiobooks, recoverers),
    ]);
    expect(both.flat()).toEqual([{ id: done.id, type: 'scan', status: 'completed' }]);
    expect(steps).toMatchObject([
      { seq: 1, state: 'done' },
      { seq: 2, state: 'planned' },
    ]);
    expect(await readOperation(audiobooks.store, done.id)).toMatchObject({ attempts: 1, result: { recovered: true } });
  });

  it('that another process took over is left to it', async () => {
    const audiobooks = await temporaryAudiobooks();
    let id = '';
    const other = JSON.stringify({ ...JSON.parse(ownerOfThisProcess()), host: 'elsewhere' });
    const run = runOperation(audiobooks, scan, async (context) => {
      id = context.operationId;
      await audiobooks.store.transact((tx) => tx.update(operations, { id }, (now) => ({ ...now, owner: other })));
      context.progress(1, 2, 'late');
      await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
      throw new Error('stopped');
    });
    await expect(run).rejects.toMatchObject({ code: 'OPERATION_CANCELLED' });
    expect(await readOperation(audiobooks.store, id)).toMatchObject({ status: 'running', owner: other });
  });

  it('of another machine is recovered once its heartbeat has stopped, whatever the clocks show', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const audiobooks = await temporaryAudiobooks();
    const done = await runOperation(audiobooks, scan, () => Promise.resolve({ result: {} }));
    const owner = JSON.stringify({ ...JSON.parse(ownerOfThisProcess()), host: 'elsewhere' });
    const beat = (heartbeat_at: string) =>
      audiobooks.store.transact((tx) =>
        tx.put(operations, { id: done.id }, { ...done, status: 'running', owner, completed_at: null, heartbeat_at }),
      );
    const heartbeats = new Heartbeats();
    const recover = async () => (await recoverOperations(audiobooks, {}, { heartbeats })).map(({ id }) => id);
    // The other machine's clock is years behind.
    for (const heartbeat of ['2001-01-01T00:00:00.000Z', '2001-01-01T00:00:01.000Z']) {
      await beat(heartbeat);
      expect(await recover()).toEqual([]);
      vi.advanceTimersByTime(OPERATION_LEASE_MS - 1);
      expect(await recover()).toEqual([]);
    }
    vi.advanceTimersByTime(1);
    expect(await recover()).toEqual([done.id]);
  });

  it('that has changed files is left to a machine that has these files', async () => {
    const audiobooks = await temporaryAudiobooks();
    const { id: library } = await addLibraryAt(audiobooks, temporaryFolder());
    const request = { ...scan, type: 'organize', params: { library } } as const;
    const done = await runOperation(audiobooks, request, () => Promise.resolve({ result: {} }));
    const abandoned: Operation = { ...done, status: 'running', owner: DEAD, completed_at: null };
    await audiobooks.store.transact((tx) => tx.put(operations, { id: done.id }, abandoned));
    expect(await recoverInterrupted(audiobooks)).toEqual([]);
    expect(await readOperation(audiobooks.store, done.id)).toEqual(abandoned);
  });

  it('of a process that lives is left alone', async () => {
    const audiobooks = await temporaryAudiobooks();
    await runOperation(audiobooks, scan, async () => {
      expect(await recoverOperations(audiobooks, {})).toEqual([]);
      return { result: {} };
    });
  });

  it('goes after a while, with everything that belongs to it', async () => {
    const audiobooks = await temporaryAudiobooks();
    const done = await runOperation(audiobooks, scan, async (context) => {
      context.log('info', 'a');
      await context.journal.plan([{ kind: 'x', data: {} }]);
      return { result: {} };
    });
    expect(await pruneOperations(audiobooks)).toBe(0);
    const later = { ...audiobooks, now: () => audiobooks.now() + 31 * 86_400_000 };
    expect(await pruneOperations(later)).toBe(1);
    expect(await audiobooks.store.list(operationLogs, { op: done.id })).toEqual([]);
    expect(await audiobooks.store.list(operationJournal, { op: done.id })).toEqual([]);
    expect((await audiobooks.store.verify()).problems).toEqual([]);
  });
});

describe('work that nobody waits for', () => {
  it('says what went wrong, but not that it was ended', async () => {
    const problems: unknown[] = [];
    const background = new BackgroundOperations((error) => problems.push(error));
    background.follow(() => Promise.reject(new Error('the disk is full')));
    background.follow(
      (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    await expect.poll(() => problems).toEqual([new Error('the disk is full')]);
    await background.close();
    expect(problems).toHaveLength(1);
  });
});
