import type { Clock } from '@holdfast/base';
import { byCreation, readTask, type Task } from '../model/task.ts';
import type { Buckets } from './bucket.ts';
import type { TagLists } from './tag-lists.ts';

export interface StoreOptions {
  readonly clock: Clock;
  readonly nonce: () => Uint8Array;
  readonly pause: (attempt: number) => Promise<void>;
  readonly shardSize?: number;
  /** Called for each value that is not a task. One bad value must not hide the others. */
  readonly onUnreadable?: ((key: string) => void) | undefined;
}

export interface StoreParts {
  readonly buckets: Buckets;
  readonly lists: TagLists;
  readonly options: StoreOptions;
}

export async function allTasks(store: StoreParts): Promise<readonly Task[]> {
  const found = await store.buckets.tasks.scan();
  return readableTasks(store, found).sort(byCreation);
}

export function readableTasks({ options }: StoreParts, found: readonly (readonly [string, string])[]): Task[] {
  const tasks: Task[] = [];
  for (const [key, value] of found) {
    const task = readTask(key, value);
    if (task === undefined) options.onUnreadable?.(key);
    else tasks.push(task);
  }
  return tasks;
}
