import { isHoldfastError } from '@holdfast/base';
import type { Task } from '../model/task.ts';
import type { Store } from '../store/store.ts';

/** Tasks that were being added when the server was lost, and of which nobody could say whether they were. */
export interface Unconfirmed {
  read(): readonly Task[] | undefined;
  write(tasks: readonly Task[] | undefined): void;
}

/** Adds a task. If the same was tried before with an unknown outcome, it is the same task, and there will be one. */
export async function addTask(
  store: Store,
  unconfirmed: Unconfirmed,
  text: string,
  tags: readonly string[],
): Promise<Task> {
  const pending = unconfirmed.read() ?? [];
  const draft = store.draft(text, tags);
  const earlier = pending.find((task) => task.text === draft.text && task.tags.join() === draft.tags.join());
  const task = earlier ?? draft;
  const others = pending.filter((one) => one !== earlier);
  try {
    const isNew = await store.insert(task);
    if (earlier !== undefined) unconfirmed.write(others.length === 0 ? undefined : others);
    if (isNew || (await store.resolve(task.id)).id !== undefined) return task;
    return await store.add(text, tags);
  } catch (error) {
    if (isHoldfastError(error, 'OUTCOME_UNKNOWN')) unconfirmed.write([...others, task]);
    throw error;
  }
}
