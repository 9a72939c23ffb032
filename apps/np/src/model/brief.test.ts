import { expect, it } from 'vitest';
import { changeLines, planOutline, skippedLines } from './brief.ts';
import { countByStatus, type Task } from './plan.ts';

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
  const text = planOutline({ session, goal, tasks, notes: [], counts: countByStatus(tasks) });
  expect(Array.from(text).length).toBeLessThan(2_600);
  expect(text.isWellFormed()).toBe(true);
  expect(text).toContain('Goal: Ship it');
  expect(text).toContain('☐ 001388');
  expect(text).toContain('… and 4980 more open tasks');
  expect(text).toContain('5000 of 10000 done');
});

/**
 * Returns an upper bound on the token count for any tokenizer: one token per four letters of a word, and one per sign.
 */
function tokensAtMost(text: string): number {
  return Array.from(text.matchAll(/[A-Za-z]{1,4}|[0-9]{1,3}|[^\sA-Za-z0-9]|\n/gu)).length;
}

it('answers a change of any size with at most 300 tokens', () => {
  const title = 'Find out why the session of the shop forgets items. '.repeat(20);
  const task = { id: 'a1b2c3', title, status: 'in_progress', changed: true } as const;
  const tasks = Array.from({ length: 1_000 }, (_, index) => ({ ...task, id: `${index}`.padStart(6, '0') }));
  const next = [1, 2, 3].map((n) => ({ id: `f0000${n}`, title, status: 'pending' }) as const);
  const counts = { pending: 4_000, in_progress: 1_000, completed: 5_000, failed: 10, cancelled: 10 };
  const text = changeLines({ tasks, next, counts }).join('\n');
  expect(tokensAtMost(text)).toBeLessThanOrEqual(300);
  expect(text).toContain('… and 994 more');
  expect(text).toContain('5000 of 10010 done, 4000 pending, 1000 in progress, 10 failed, 10 cancelled');
  expect(text).toContain('Next: ☐ f00001');
});

it('hints at archiving when nothing is left open', () => {
  const counts = { pending: 0, in_progress: 0, completed: 1, failed: 0, cancelled: 0 };
  const done = { id: 'a1b2c3', title: 'Last', status: 'completed', changed: true } as const;
  expect(changeLines({ tasks: [done], next: [], counts }).at(-1)).toContain("'np a'");
});

it('says that there are no tasks instead of counting none of none', () => {
  const none = { pending: 0, in_progress: 0, completed: 0, failed: 0, cancelled: 0 };
  const goal = { title: 'Ship it', description: '', updated_at: at };
  expect(changeLines({ goal, tasks: [], next: [], counts: none })).toEqual(['Goal: Ship it', 'No tasks']);
  const lines = changeLines({ tasks: [], next: [], counts: { ...none, cancelled: 2 } });
  expect(lines).toEqual(['No open tasks, 2 cancelled']);
});

it('names three damaged values and counts the others', () => {
  expect(skippedLines(new Set())).toEqual([]);
  const lines = skippedLines(new Set(['a', 'b', 'c', 'd', 'e']));
  expect(lines).toHaveLength(4);
  expect(lines[0]).toContain('under a is damaged');
  expect(lines[3]).toBe('… and 2 more damaged values');
});
