import type { GivenOption } from '@holdfast/cli';
import { describe, expect, it } from 'vitest';
import { updateBatches } from './update-batches.ts';

function given(...options: readonly (readonly [string, string | number])[]): readonly GivenOption[] {
  return options.map(([name, value]) => ({ name, value }));
}

describe('updates from options in their order', () => {
  it('begin with -i and take what follows', () => {
    expect(
      updateBatches(
        given(['id', 'AB'], ['status', 'completed'], ['id', 'cd'], ['title', 'x'], ['reason', 'why'], ['ifVersion', 3]),
      ),
    ).toEqual([
      { id: 'AB', status: 'completed' },
      { id: 'cd', status: undefined, title: 'x', reason: 'why', ifVersion: 3 },
    ]);
  });

  it('share one reason, wherever it stands, if they need one', () => {
    const updates = updateBatches(
      given(
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

  it('do not share one of several reasons', () => {
    const updates = updateBatches(
      given(
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

  it('are refused when it is not clear what is meant', () => {
    expect(() => updateBatches(given(['status', 'failed'], ['id', 'a']))).toThrow(/must come after the task/u);
    expect(() => updateBatches(given(['id', 'a'], ['status', 'failed'], ['status', 'pending']))).toThrow(
      /given twice/u,
    );
  });
});
