import { readTask } from '../model/task.ts';
import { utaskErrors } from '../model/errors.ts';
import { shortId } from '../model/id.ts';
import type { Entry } from './bucket.ts';
import type { StoreParts } from './parts.ts';

const ATTEMPTS_MAX = 2_000;

/**
 * Takes an id off the lists of tags that its task does not have.
 *
 * The danger is somebody who has just put the id on a list and is about to say so in the task: taking it off between
 * these two steps would leave a task that its tag does not find. So the task is written once more, unchanged, after the
 * lists were read and before they are written (a task that is not there gets one more marker). Whoever read the task
 * before that fails, and starts again with the lists; whoever reads it after that puts the id on a list that has then
 * changed, and the removal fails.
 */
export async function retire(store: StoreParts, id: string, tags: readonly string[]): Promise<void> {
  let left = tags;
  for (let attempt = 1; left.length > 0; attempt++) {
    if (attempt > ATTEMPTS_MAX) throw utaskErrors.STORE_CONTENDED(`Task ${shortId(id)} was changed again and again.`);
    const located = await Promise.all(left.map(async (tag) => ({ tag, shards: await store.lists.locate(tag, id) })));
    const entry = await store.buckets.tasks.get(id);
    const wanted = tagsOf(entry, id);
    const stale = located.filter(({ tag, shards }) => shards.length > 0 && !wanted.includes(tag));
    if (stale.length === 0) return;
    left = stale.map(({ tag }) => tag);
    const isFenced = (await store.buckets.tasks.replace(id, entry?.value, entry?.revision ?? 0)) !== undefined;
    if (isFenced) {
      const results = await Promise.all(
        stale.map(async ({ tag, shards }) => {
          const removed = await Promise.all(shards.map((shard) => store.lists.remove(shard, id)));
          return removed.every(Boolean) ? undefined : tag;
        }),
      );
      left = results.filter((tag) => tag !== undefined);
    }
    if (left.length > 0) await store.options.pause(attempt);
  }
}

function tagsOf(entry: Entry | undefined, id: string): readonly string[] {
  return entry?.value === undefined ? [] : (readTask(id, entry.value)?.tags ?? []);
}
