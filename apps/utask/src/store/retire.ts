import { readTask } from '../model/task.ts';
import { utaskErrors } from '../model/errors.ts';
import { shortId } from '../model/id.ts';
import type { Entry } from './bucket.ts';
import type { StoreParts } from './parts.ts';

const ATTEMPTS_MAX = 2_000;

/**
 * Removes an id from the lists of tags that its task does not have.
 *
 * A writer may have just put the id on a list and be about to store the task with that tag; removing the id between
 * these steps would leave a task that its tag does not find. So the task is rewritten unchanged as a fence, after the
 * lists were read and before they are written (a missing task gets another deletion marker). A writer who read the
 * task before the fence conflicts and starts again; one who reads it afterwards changes the list, and
 * the removal conflicts.
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
