import type { Store } from '../store/store.ts';

export interface TagCount {
  readonly tag: string;
  readonly open: number;
  readonly done: number;
}

/** Counted from the tasks themselves, so that the numbers are right whatever the index says. */
export async function countTags(store: Store): Promise<readonly TagCount[]> {
  const counts = new Map<string, { open: number; done: number }>();
  for (const { tags, done } of await store.all()) {
    for (const tag of tags) {
      const count = counts.get(tag) ?? { open: 0, done: 0 };
      count[done ? 'done' : 'open'] += 1;
      counts.set(tag, count);
    }
  }
  return [...counts].map(([tag, count]) => ({ tag, ...count })).sort((left, right) => (left.tag < right.tag ? -1 : 1));
}
