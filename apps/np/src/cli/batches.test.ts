import { describe, expect, it } from 'vitest';
import { taskBatches, updateBatches } from './batches.ts';

function context(...options: readonly (readonly [string, string | number])[]) {
  const unused = (): never => {
    throw new Error('not read');
  };
  const stdin = { isTerminal: false, text: async () => 'from\nthe pipe\n', bytes: unused, lines: unused };
  return { given: options.map(([name, value]) => ({ name, value })), stdin };
}

describe('tasks from options in their order', () => {
  it('begin where an option comes again, and one text may come from standard input', async () => {
    const given = context(['title', 'A'], ['description', '-'], ['title', 'B']);
    expect(await taskBatches(given)).toEqual([
      { title: 'A', description: 'from\nthe pipe' },
      { title: 'B', description: '' },
    ]);
    const ordered = context(['title', 'A'], ['after', 'x'], ['after', 'y'], ['title', 'B']);
    expect(await taskBatches(ordered)).toEqual([
      { title: 'A', description: '', after: ['x', 'y'] },
      { title: 'B', description: '' },
    ]);
    await expect(taskBatches(context(['title', '-'], ['description', '-']))).rejects.toThrow(/Only one text/u);
    await expect(taskBatches(context(['description', 'x']))).rejects.toThrow(/must follow a title/u);
  });
});

describe('updates from options in their order', () => {
  it('begin with -i and take what follows', async () => {
    const given = context(
      ['id', 'AB'],
      ['status', 'completed'],
      ['id', 'cd'],
      ['title', 'x'],
      ['reason', 'why'],
      ['ifVersion', 3],
      ['note', '-'],
    );
    expect(await updateBatches(given)).toEqual([
      { id: 'AB', status: 'completed' },
      { id: 'cd', title: 'x', reason: 'why', if_version: 3, note: 'from\nthe pipe' },
    ]);
  });

  it('share one reason, wherever it stands, if they need one', async () => {
    const updates = await updateBatches(
      context(
        ['reason', 'why'],
        ['id', 'a'],
        ['status', 'failed'],
        ['id', 'b'],
        ['status', 'completed'],
        ['id', 'c'],
        ['title', 'x'],
      ),
    );
    expect(updates.map(({ reason }) => reason)).toEqual(['why', undefined, 'why']);
  });

  it('do not share one of several reasons', async () => {
    const updates = await updateBatches(
      context(
        ['id', 'a'],
        ['status', 'failed'],
        ['reason', 'one'],
        ['id', 'b'],
        ['status', 'failed'],
        ['reason', 'two'],
        ['id', 'c'],
        ['status', 'failed'],
      ),
    );
    expect(updates.map(({ reason }) => reason)).toEqual(['one', 'two', undefined]);
  });

  it('are refused when it is not clear what is meant', async () => {
    await expect(updateBatches(context(['status', 'failed'], ['id', 'a']))).rejects.toThrow(/must follow the id/u);
    const twice = context(['id', 'a'], ['status', 'failed'], ['status', 'pending']);
    await expect(updateBatches(twice)).rejects.toThrow(/given twice/u);
  });
});
