import { isHoldfastError } from '@holdfast/base';
import type { Task } from '../model/task.ts';
import type { Store } from '../store/store.ts';

/** Tasks that were being added when the server was lost, and of which nobody could say whether they were. */
export interface Unconfirmed {
  read(): readonly Task[] | undefined;
  write(tasks: readonly Task[] | undefined): void;
}

/** Those that are added at the same time share the writing of their tags' lists, which is most of the work. */
const CONCURRENT = 32;

/**
 * Adds one task for each text, as they come. If the same was tried before with an unknown outcome, it is the same task,
 * and there will be one. After the first failure no further text is taken.
 */
export async function addTasks(
  store: Store,
  unconfirmed: Unconfirmed,
  texts: AsyncIterable<string> | Iterable<string>,
  tags: readonly string[],
): Promise<readonly Task[]> {
  const pending = [...(unconfirmed.read() ?? [])];
  const before = pending.length;
  const lost: Task[] = [];
  const added: Promise<Task>[] = [];
  const running = new Set<Promise<unknown>>();
  const failures: unknown[] = [];
  const start = (text: string): void => {
    const task = takeSame(pending, store.draft(text, tags));
    const adding = addOne(store, task).catch((error: unknown) => {
      if (isHoldfastError(error, 'OUTCOME_UNKNOWN')) lost.push(task);
      failures.push(error);
      throw error;
    });
    added.push(adding);
    const settled: Promise<void> = adding.then(
      () => undefined,
      () => undefined,
    );
    running.add(settled);
    void settled.then(() => running.delete(settled));
  };
  for await (const text of texts) {
    if (failures.length > 0) break;
    start(text);
    if (running.size >= CONCURRENT) await Promise.race(running);
  }
  await Promise.all(running);
  const left = [...pending, ...lost];
  if (left.length !== before || lost.length > 0) unconfirmed.write(left.length === 0 ? undefined : left);
  if (failures.length > 0) throw failures[0];
  return Promise.all(added);
}

/** The task of the earlier attempt, which is then not pending any more, or this one. */
function takeSame(pending: Task[], draft: Task): Task {
  const isSame = (task: Task): boolean => task.text === draft.text && task.tags.join() === draft.tags.join();
  const at = pending.findIndex(isSame);
  return at < 0 ? draft : (pending.splice(at, 1)[0] as Task);
}

async function addOne(store: Store, task: Task): Promise<Task> {
  if ((await store.insert(task)) || (await store.resolve(task.id)).id !== undefined) return task;
  return store.add(task.text, task.tags);
}
