import type { Utask } from './utask.ts';

export interface TagCount {
  readonly tag: string;
  readonly open: number;
  readonly done: number;
}

export interface TaskCount {
  readonly tags: readonly TagCount[];
  readonly open: number;
  readonly done: number;
}

/** Counted from the tasks themselves, so that the numbers are right whatever the index says. */
export async function countTasks(utask: Utask): Promise<TaskCount> {
  const counts = new Map<string, { open: number; done: number }>();
  const total = { open: 0, done: 0 };
  for (const { tags, done } of await utask.all()) {
    total[done ? 'done' : 'open'] += 1;
    for (const tag of tags) {
      const count = counts.get(tag) ?? { open: 0, done: 0 };
      count[done ? 'done' : 'open'] += 1;
      counts.set(tag, count);
    }
  }
  const tags = [...counts].map(([tag, count]) => ({ tag, ...count }));
  return { tags: tags.sort((left, right) => (left.tag < right.tag ? -1 : 1)), ...total };
}

export async function countTags(utask: Utask): Promise<readonly TagCount[]> {
  return (await countTasks(utask)).tags;
}
