import type { z } from 'zod';

import { shownInquiry } from '../service/inquiries.ts';
import type { Ringmaster } from '../service/ringmaster.ts';
import { showTask } from '../service/show-task.ts';
import { iterationsOf } from '../store/iterations.ts';
import type { shownTaskSchema } from './schemas.ts';

/** The task as pages need it: each link from the side of this task. */
export function shownTask(rm: Ringmaster, id: string): z.infer<typeof shownTaskSchema> {
  const { task, dependencies, dependents, children, progress, attempts, inquiries, held_because } = showTask(rm, id);
  return {
    task,
    dependencies: dependencies.map(({ parent_id, child_id: _, ...link }) => ({ id: parent_id, ...link })),
    dependents: dependents.map(({ child_id, parent_id: _, ...link }) => ({ id: child_id, ...link })),
    children: [...children],
    progress,
    attempts: [...attempts],
    iterations: iterationsOf(rm.store.reader, id),
    inquiries: inquiries.map(shownInquiry).map((one) => ({ ...one, options: [...one.options] })),
    held_because: [...held_because],
  };
}
