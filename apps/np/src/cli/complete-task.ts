import type { Candidate, CompletionRequest } from '@holdfast/cli';
import { canonicalDirectory } from '../adapters/directory.ts';
import { databasePath } from '../adapters/place.ts';
import { openNp } from '../service/np.ts';
import { listTasks } from '../service/show-plan.ts';

/** The tasks of the session of this directory. */
export async function complete({ env }: CompletionRequest): Promise<readonly Candidate[]> {
  const np = await openNp({ path: databasePath(env), create: false });
  const { tasks } = await listTasks(np, { directory: canonicalDirectory() });
  return tasks.map(({ id, title }) => ({ value: id, summary: title }));
}
