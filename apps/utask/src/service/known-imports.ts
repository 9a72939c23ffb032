import type { Task } from '../model/task.ts';
import type { Utask } from './utask.ts';

/**
 * Gives tasks that were imported before their existing ids. Ids of Taskwarrior tasks once depended on the text,
 * so such a task can only be found by its uuid.
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

/** Returns the id of the task in its original program. */
function originOf({ source }: Task): string | undefined {
  const { uuid } = (source?.data ?? {}) as { readonly uuid?: unknown };
  return source?.format === 'taskwarrior' && typeof uuid === 'string' ? uuid : undefined;
}
