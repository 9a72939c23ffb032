import type { Candidate, CompletionRequest } from '@holdfast/cli';

import { listTasks } from '../store/tasks.ts';
import { withRingmaster } from './with-ringmaster.ts';

export function complete({ env }: CompletionRequest): Promise<readonly Candidate[]> {
  return withRingmaster({ options: {}, env }, async ({ store }) =>
    listTasks(store.reader, { limit: 1_000 }).map(({ id, title }) => ({ value: id, summary: title })),
  );
}
