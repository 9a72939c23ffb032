import { describe, expect, it } from 'vitest';

import type { BoardTask } from '../../../api/types.ts';
import { columnOf, lanesOf, mayMove, nextColumn } from './columns.ts';

function card(changes: Partial<BoardTask>): BoardTask {
  return { id: 't', type: 'task', status: 'ready', is_ready: true, may_become: [], ...changes } as BoardTask;
}

describe('the board', () => {
  it('tells tasks that wait for others from blocked ones, and has claimed ones under running', () => {
    expect(columnOf({ status: 'ready', is_ready: true })).toBe('ready');
    expect(columnOf({ status: 'ready', is_ready: false })).toBe('waiting');
    expect(columnOf({ status: 'blocked', is_ready: false })).toBe('blocked');
    expect(columnOf({ status: 'failed', is_ready: false })).toBe('blocked');
    expect(columnOf({ status: 'draft', is_ready: false })).toBe('blocked');
    expect(columnOf({ status: 'assigned', is_ready: false })).toBe('running');
    expect(columnOf({ status: 'in_progress', is_ready: false })).toBe('running');
  });

  it('shows what failed first, and no decisions', () => {
    const lanes = lanesOf([
      card({ id: 'waits', is_ready: false }),
      card({ id: 'stopped', status: 'blocked' }),
      card({ id: 'failed', status: 'failed' }),
      card({ id: 'asked', type: 'decision' }),
    ]);
    expect(lanes.blocked.map(({ id }) => id)).toEqual(['failed', 'stopped']);
    expect(lanes.waiting.map(({ id }) => id)).toEqual(['waits']);
    expect(lanes.ready).toEqual([]);
  });

  it('moves a card only where a person may take it, passing over what lies between', () => {
    const task = card({ may_become: ['blocked', 'done', 'review'] });
    expect(mayMove(task, 'running')).toBe(false);
    expect(nextColumn(task, 1)).toBe('review');
    expect(nextColumn(task, -1)).toBe('blocked');
    expect(nextColumn(card({ status: 'in_progress' }), 1)).toBeUndefined();
    expect(mayMove(card({ may_become: ['ready'] }), 'ready')).toBe(false);
  });
});
