import { expect, it } from 'vitest';
import { planOutline } from './outline.ts';
import { countByStatus, type Task } from './session.ts';

const at = '2026-01-02T03:04:05.000Z';

it('outlines a plan of any size in a bounded number of characters', () => {
  const tasks = Array.from({ length: 10_000 }, (_, index): Task => {
    const id = index.toString(16).padStart(6, '0');
    const status = index < 5_000 ? 'completed' : 'pending';
    return {
      id,
      title: '𝒳'.repeat(500),
      description: 'd',
      status,
      created_at: at,
      updated_at: at,
      created_seq: index,
      version: 1,
    };
  });
  const session = {
    sid: 'S',
    dir_path: '/p',
    dir_hash: 'h',
    state: 'active',
    created_at: at,
    archived_at: null,
    last_updated_at: at,
  } as const;
  const goal = { title: 'Ship\nit', description: 'word '.repeat(1_000), updated_at: at };
  const text = planOutline({ session, goal, tasks, counts: countByStatus(tasks) });
  expect(Array.from(text).length).toBeLessThan(2_600);
  expect(text.isWellFormed()).toBe(true);
  expect(text).toContain('Goal: Ship it');
  expect(text).toContain('☐ 001388');
  expect(text).toContain('… and 4980 more open tasks');
  expect(text).toContain('5000 of 10000 done');
});
