import type { Schema } from '@holdfast/operation';
import { describe, expect, it } from 'vitest';
import { eventSchema } from './event.ts';
import { taskSchema } from './plan.ts';

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

function problemsOf(schema: Schema, value: unknown): readonly string[] {
  const result = schema['~standard'].validate(value);
  return 'issues' in result ? result.issues.map(({ message, path }) => [...path, message].join(': ')) : [];
}

describe('stored records', () => {
  it('accept what the design document writes, times with nanoseconds included', () => {
    expect(problemsOf(taskSchema, task)).toEqual([]);
    expect(problemsOf(taskSchema, { ...task, actor: 'me', order_seq: 4 })).toEqual([]);
  });

  it('refuse missing, wrong and unknown fields, and name them', () => {
    const { id: _, ...rest } = task;
    expect(problemsOf(taskSchema, rest)).toEqual(['id: is missing']);
    expect(problemsOf(taskSchema, { ...task, status: 'done', created_at: 'today', version: -1 })).toEqual([
      'status: expected one of pending, in_progress, completed, failed, cancelled',
      'created_at: expected a time (RFC 3339)',
      'version: must be at least 0',
    ]);
    expect(problemsOf(taskSchema, { ...task, colour: 'red' })).toEqual(['colour: is unknown']);
    expect(problemsOf(taskSchema, [task])).toEqual(['expected an object']);
  });

  it('check the payload of an event by its type', () => {
    const event = { seq: 1, at: task.created_at, type: 'task_added', reason: null, cmd: 'np t a' };
    const { version: _, ...snapshot } = task;
    expect(problemsOf(eventSchema, { ...event, payload: { task: snapshot } })).toEqual([]);
    expect(problemsOf(eventSchema, { ...event, payload: { task } })).toEqual(['payload: task: version: is unknown']);
    expect(problemsOf(eventSchema, { ...event, payload: {} })).toEqual(['payload: task: expected an object']);
    expect(problemsOf(eventSchema, { ...event, type: 'other', payload: {} })).toHaveLength(1);
  });
});
