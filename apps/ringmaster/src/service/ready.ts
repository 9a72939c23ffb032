import { listQueue, listReady, type QueueRow, type ReadyTask } from '../store/ready.ts';
import { chosenProject } from '../store/projects.ts';
import { refreshRanks } from './rank.ts';
import type { Ringmaster } from './ringmaster.ts';
import { explain, type Explanation } from './why.ts';

export interface ReadyQuery {
  readonly project?: string | undefined;
  readonly limit: number;
  /** Epics, decisions and questions too. */
  readonly all_types?: boolean | undefined;
}

/** Tasks that may start now, best first. */
export function readyTasks(
  { store }: Ringmaster,
  { project, limit, all_types = false }: ReadyQuery,
): readonly ReadyTask[] {
  // A misspelt project must not look like one without ready tasks.
  if (project !== undefined) chosenProject(store.reader, project);
  return listReady(store.reader, { project, limit, allTypes: all_types });
}

/** Returns the task that a claim would take next, with the reasons; null if nothing is ready. */
export async function nextTask(
  rm: Ringmaster,
  { project }: { readonly project?: string | undefined },
): Promise<Explanation | null> {
  await refreshRanks(rm);
  const [first] = readyTasks(rm, { project, limit: 1 });
  return first === undefined ? null : explain(rm, first.id);
}

/** Running tasks, then ready ones, best first. */
export function showQueue({ store }: Ringmaster): readonly QueueRow[] {
  return listQueue(store.reader);
}
