import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Task } from '../../api/types.ts';
import type { TaskFilter } from '../../api/utask-queries.ts';
import { matches, withChange } from './cached-tasks.ts';

const task = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  text: fc.constantFrom('buy milk', 'Ship it'),
  done: fc.boolean(),
  tags: fc.subarray(['x', 'y']),
  created: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01T00:00:00.500Z', '2026-01-02T00:00:00Z'),
});
const filter: fc.Arbitrary<TaskFilter> = fc.record({
  state: fc.constantFrom('open', 'done', 'all'),
  tags: fc.subarray(['x', 'y']),
  match: fc.constantFrom('any', 'all'),
  search: fc.constantFrom('', 'MILK'),
});

const order = (left: Task, right: Task): number =>
  Date.parse(right.created) - Date.parse(left.created) || (left.id < right.id ? 1 : -1);

/** Returns the list that the server would return. */
function listOf(tasks: ReadonlyMap<string, Task>, wanted: TaskFilter, size: number, pageCount: number) {
  const found = [...tasks.values()].filter((each) => matches(wanted, each)).sort(order);
  const pages = Array.from({ length: pageCount }, (_, at) => ({
    data: found.slice(at * size, (at + 1) * size),
    next_cursor: found.length > (at + 1) * size ? 'more' : null,
  }));
  const last = pages.findIndex(({ next_cursor: next }) => next === null);
  const read = last < 0 ? pages : pages.slice(0, last + 1);
  return { pages: read, pageParams: read.map(() => undefined) };
}

describe('a change that the stream tells', () => {
  it('makes of a list what the server would answer, as far as it was read', () => {
    fc.assert(
      fc.property(
        fc.array(task),
        task,
        fc.boolean(),
        filter,
        fc.integer({ min: 1, max: 3 }),
        (tasks, changed, isDeleted, wanted, size) => {
          const before = new Map(tasks.map((each) => [each.id, each]));
          // The creation time of a task never changes.
          const next = { ...changed, created: before.get(changed.id)?.created ?? changed.created };
          const after = new Map(before).set(next.id, next);
          if (isDeleted) after.delete(next.id);
          const list = withChange(listOf(before, wanted, size, 2), wanted, {
            id: next.id,
            task: isDeleted ? null : next,
          });
          const shown = list.pages.flatMap(({ data }) => data);
          const whole = [...after.values()].filter((each) => matches(wanted, each)).sort(order);
          expect(shown).toEqual(whole.slice(0, shown.length));
          if (list.pages.at(-1)?.next_cursor === null) expect(shown).toHaveLength(whole.length);
        },
      ),
    );
  });
});
