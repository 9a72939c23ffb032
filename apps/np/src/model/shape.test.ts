import { describe, expect, it } from 'vitest';
import { eventShape } from './event.ts';
import { taskShape } from './session.ts';
import type { Shape } from './shape.ts';

const task = {
  id: 'a1b2c3',
  title: 't',
  description: '',
  status: 'pending',
  created_at: '2026-01-02T03:04:05Z',
  updated_at: '2026-01-02T03:04:05.123456789Z',
  created_seq: 1,
  version: 1,
};

function problemsOf(shape: Shape, value: unknown): readonly string[] {
  const result = shape['~standard'].validate(value);
  return 'issues' in result ? result.issues.map(({ message, path = [] }) => [...path, message].join(': ')) : [];
}

describe('shapes', () => {
  it('accept what the seed writes, times with nanoseconds included', () => {
    expect(problemsOf(taskShape, task)).toEqual([]);
    expect(problemsOf(taskShape, { ...task, actor: 'me', order_seq: 4 })).toEqual([]);
  });

  it('refuse missing, wrong and unknown fields, and name them', () => {
    const { id: _, ...rest } = task;
    expect(problemsOf(taskShape, rest)).toEqual(['id: expected text']);
    expect(problemsOf(taskShape, { ...task, status: 'done', created_at: 'today', version: -1 })).toEqual([
      'status: expected one of pending, in_progress, completed, failed, cancelled',
      'created_at: expected a time (RFC 3339)',
      'version: expected a whole number',
    ]);
    expect(problemsOf(taskShape, { ...task, colour: 'red' })).toEqual(['colour: is not known']);
    expect(problemsOf(taskShape, [task])).toEqual(['expected an object']);
  });

  it('check the payload of an event by its type', () => {
    const event = { seq: 1, at: task.created_at, type: 'task_added', reason: null, cmd: 'np t a' };
    const { version: _, ...snapshot } = task;
    expect(problemsOf(eventShape, { ...event, payload: { task: snapshot } })).toEqual([]);
    expect(problemsOf(eventShape, { ...event, payload: { task } })).toEqual(['payload: task: version: is not known']);
    expect(problemsOf(eventShape, { ...event, payload: {} })).toEqual(['payload: task: expected an object']);
    expect(problemsOf(eventShape, { ...event, type: 'other', payload: {} })).toHaveLength(1);
  });
});
