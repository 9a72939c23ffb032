import { expect, it } from 'vitest';
import { onBothBackends } from '../../test/both-backends.ts';
import { addTasks, deleteTasks, markTasks, updateTask } from './change-tasks.ts';
import { utaskOn } from './open-utask.ts';
import { transferTasks } from './transfer.ts';
import { type Change, hostOf, redoChange, undoChange, type UndoSteps, type UtaskHost } from './undo.ts';

interface Observed extends UtaskHost {
  readonly steps: () => UndoSteps;
  /** Ids of the tasks that were changed before the undo log contained the change. */
  readonly unplanned: readonly string[];
  readonly writes: () => number;
}

onBothBackends('undo', (backend) => {
  async function observed(): Promise<Observed> {
    const utask = utaskOn(await backend.open());
    let steps: UndoSteps | undefined;
    let writes = 0;
    const undo = {
      read: () => steps,
      write: (value: UndoSteps | undefined) => {
        steps = value;
        writes += 1;
        return true;
      },
    };
    const unplanned: string[] = [];
    const { tasks } = utask.buckets;
    const replace = tasks.replace.bind(tasks);
    tasks.replace = (id, value, expected) => {
      const isPlanned = (change: Change): boolean => change.id === id && change.after === (value ?? null);
      if (steps?.undo.at(-1)?.some(isPlanned) !== true) unplanned.push(id);
      return replace(id, value, expected);
    };
    const host = hostOf(utask, { undo, unconfirmed: { read: () => undefined, write: () => true } });
    return { ...host, steps: () => steps ?? { undo: [], redo: [] }, unplanned, writes: () => writes };
  }

  it('knows every change before it is made, with one write for each command', async () => {
    const host = await observed();
    const { utask, undoLog } = host;
    const { added } = await addTasks(host, ['one', 'two', 'three'], ['a']);
    const [one, two] = added;
    if (one === undefined || two === undefined) throw new Error('the tasks were not added');
    expect(host.writes(), 'the three additions share a write').toBe(1);
    await markTasks(host, { ids: [one.id], done: true });
    await updateTask(host, { id: two.id, text: 'zwei', add_tags: ['b'], remove_tags: [] });
    await deleteTasks(host, { ids: [two.id] });
    expect(host.writes()).toBe(4);
    const imported = [{ ...one, text: 'uno' }, two, { ...one, id: 'f'.repeat(one.id.length) }];
    await transferTasks(utask, imported, { overwrite: true, undoLog });
    expect(host.writes()).toBe(5);
    expect(host.unplanned).toEqual([]);
    expect(host.steps().undo.map((step) => step.length)).toEqual([3, 1, 1, 1, 3]);
    await utask.close();
  });

  it('forgets a plan that came to nothing, and what could be redone stays', async () => {
    const host = await observed();
    await addTasks(host, ['one'], []);
    await undoChange(host, { dry_run: false });
    const before = host.steps();
    host.undoLog.plan([{ id: 'a'.repeat(128), before: null, after: '{}' }]);
    host.undoLog.record([]);
    expect(host.steps()).toEqual(before);
    await redoChange(host, { dry_run: false });
    expect(await host.utask.all()).toMatchObject([{ text: 'one' }]);
    await host.utask.close();
  });
});
