import { byCreation, decodeTask, type Task } from '../model/task.ts';
import type { Buckets } from './bucket.ts';
import type { TagLists } from './tag-lists.ts';

export interface StoreOptions {
  readonly timestamp: () => string;
  readonly nowMs: () => number;
  readonly nonce: () => Uint8Array;
  readonly pause: (attempt: number) => Promise<void>;
  readonly shardSize?: number;
}

/** What the operations of the store work on. */
export interface StoreParts {
  readonly buckets: Buckets;
  readonly lists: TagLists;
  readonly options: StoreOptions;
}

export async function allTasks({ buckets }: StoreParts): Promise<readonly Task[]> {
  const found = await buckets.tasks.scan();
  return found.map(([key, value]) => decodeTask(key, value)).sort(byCreation);
}
