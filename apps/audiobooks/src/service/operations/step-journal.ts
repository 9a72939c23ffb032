import type { JournalEntry } from '../../model/operation.ts';
import { operationJournal } from '../../store/definitions.ts';
import { journalOf } from '../../store/operations.ts';
import type { Audiobooks } from '../audiobooks.ts';
import type { Step, StepJournal, StepState } from '../../model/engines.ts';

export function stepJournal({ store }: Audiobooks, op: string): StepJournal {
  return {
    plan: (steps) =>
      store.transact(async (tx) => {
        const [last] = await tx.list(operationJournal, { op }, { reverse: true, limit: 1 });
        const first = (last?.seq ?? 0) + 1;
        for (const [index, { kind, data }] of steps.entries()) {
          const seq = first + index;
          const entry: JournalEntry = { seq, kind, state: 'planned', data: { ...data }, version: 1 };
          await tx.put(operationJournal, { op, seq }, entry);
        }
        return steps.map((_, index) => first + index);
      }),
    mark: (seqs: readonly number[], state: StepState) =>
      store.transact(async (tx) => {
        for (const seq of seqs) {
          await tx.update(operationJournal, { op, seq }, (entry) => ({ ...entry, state }));
        }
      }),
    steps: async (): Promise<readonly Step[]> => journalOf(store, op),
  };
}
