import type { Task } from '../model/task.ts';
import type { Utask } from './utask.ts';

/**
 * What was imported before keeps the id that it got then. Ids of Taskwarrior's tasks once followed from their text too,
 * so that such a task can be found only by the uuid that was kept with it.
 */
export async function withKnownIds(utask: Utask, tasks: readonly Task[]): Promise<readonly Task[]> {
  if (tasks.every((task) => originOf(task) === undefined)) return tasks;
  const known = new Map((await utask.all()).map((task) => [originOf(task), task.id]));
  return tasks.map((task) => {
    const origin = originOf(task);
    const id = origin === undefined ? undefined : known.get(origin);
    return id === undefined ? task : { ...task, id };
  });
}

/** What its own program calls the task, where it has a name for it. */
function originOf({ source }: Task): string | undefined {
  const { uuid } = (source?.data ?? {}) as { readonly uuid?: unknown };
  return source?.format === 'taskwarrior' && typeof uuid === 'string' ? uuid : undefined;
}
