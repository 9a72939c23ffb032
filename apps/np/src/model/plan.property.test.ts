import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byOrder, moveTask, orderOf, type Task } from './plan.ts';

function taskNumber(seq: number): Task {
  const at = '2026-01-02T03:04:05Z';
  const rest = { title: 't', description: '', status: 'pending', created_at: at, updated_at: at, version: 1 } as const;
  return { id: `id${seq}`, created_seq: seq, ...rest };
}

describe('moving tasks', () => {
  it('is what moving in a list is, and the places in use stay the same', () => {
    const moves = fc.array(fc.tuple(fc.nat(20), fc.integer({ min: -3, max: 25 })), { maxLength: 20 });
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(1_000), { minLength: 1, maxLength: 12 }), moves, (seqs, steps) => {
        let tasks = seqs.toSorted((left, right) => left - right).map(taskNumber);
        let model = tasks.map(({ id }) => id);
        const places = tasks.map(orderOf);
        for (const [pick, position] of steps) {
          const id = model[pick % model.length] as string;
          const { changed, positionAfter } = moveTask(tasks, id, position);
          tasks = tasks.map((task) => changed.find((other) => other.id === task.id) ?? task);
          const rest = model.filter((other) => other !== id);
          model = rest.toSpliced(Math.min(Math.max(position, 1), model.length) - 1, 0, id);
          expect(model.indexOf(id) + 1).toBe(positionAfter);
        }
        const ordered = tasks.toSorted(byOrder);
        expect(ordered.map(({ id }) => id)).toEqual(model);
        expect(ordered.map(orderOf)).toEqual(places);
      }),
    );
  });
});
