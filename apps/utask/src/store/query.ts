import { SECOND } from '@holdfast/base';
import { normalizedTags } from '../model/tag.ts';
import { byCreation, type Task } from '../model/task.ts';
import { allTasks, readableTasks, type StoreParts } from './parts.ts';
import { retire } from './retire.ts';

export interface Query {
  /** Tasks with at least one of these tags. */
  readonly any?: readonly string[];
  /** Tasks with every one of these tags. */
  readonly all?: readonly string[];
  /** Maximum number, oldest first; all if left out or 0. */
  readonly limit?: number;
}

/** Younger entries may belong to a change in progress, which healing would only slow down. */
const HEAL_AFTER_MS: number = 10 * SECOND;
const HEALED_MAX = 100;

/** Finds candidates with the tag lists and checks them against the tasks. */
export async function findTasks(store: StoreParts, query: Query): Promise<readonly Task[]> {
  const any = normalizedTags(query.any ?? []);
  const all = normalizedTags(query.all ?? []);
  const limit = query.limit === undefined || query.limit === 0 ? Number.POSITIVE_INFINITY : query.limit;
  if (any.length === 0 && all.length === 0) return limited(await allTasks(store), limit);
  const lists = await readLists(store, [...new Set([...any, ...all])]);
  const ids = candidates(lists, any, all);
  const values = await store.buckets.tasks.values(ids);
  const found: [string, string][] = [];
  const missing: string[] = [];
  for (const [index, id] of ids.entries()) {
    const value = values[index];
    if (value === undefined) missing.push(id);
    else found.push([id, value]);
  }
  const tasks = readableTasks(store, found);
  await heal(store, lists, tasks, missing);
  const matching = tasks.filter(
    ({ tags }) => (any.length === 0 || any.some((tag) => tags.includes(tag))) && all.every((tag) => tags.includes(tag)),
  );
  return limited(matching.sort(byCreation), limit);
}

interface List {
  readonly tag: string;
  readonly ids: ReadonlySet<string>;
  readonly youngestAt: number;
}

function readLists(store: StoreParts, tags: readonly string[]): Promise<readonly List[]> {
  return Promise.all(
    tags.map(async (tag) => {
      const shards = await store.lists.shards(tag);
      const youngestAt = shards.reduce((youngest, { at }) => Math.max(youngest, at), 0);
      return { tag, ids: new Set(shards.flatMap(({ ids }) => ids)), youngestAt };
    }),
  );
}

function candidates(lists: readonly List[], any: readonly string[], all: readonly string[]): readonly string[] {
  const idsOf = (tag: string): ReadonlySet<string> => lists.find((list) => list.tag === tag)?.ids ?? new Set();
  const union = new Set(any.flatMap((tag) => [...idsOf(tag)]));
  const [first, ...others] = all.map(idsOf);
  if (first === undefined) return [...union];
  const common = [...first].filter((id) => others.every((ids) => ids.has(id)));
  return any.length === 0 ? common : common.filter((id) => union.has(id));
}

/** Removes stale ids from the lists, if that is certain and quick. */
async function heal(
  store: StoreParts,
  lists: readonly List[],
  tasks: readonly Task[],
  missing: readonly string[],
): Promise<void> {
  const settled = lists.filter(({ youngestAt }) => youngestAt < store.options.clock() - HEAL_AFTER_MS);
  const stale = [
    ...tasks.map(({ id, tags }) => ({ id, tags: tagsListing(settled, id).filter((tag) => !tags.includes(tag)) })),
    ...missing.map((id) => ({ id, tags: tagsListing(settled, id) })),
  ].filter(({ tags }) => tags.length > 0);
  for (const { id, tags } of stale.slice(0, HEALED_MAX)) {
    // The answer is right without this, and a reader may lack the right to write.
    await retire(store, id, tags).catch(() => undefined);
  }
}

function tagsListing(lists: readonly List[], id: string): readonly string[] {
  return lists.filter(({ ids }) => ids.has(id)).map(({ tag }) => tag);
}

function limited(tasks: readonly Task[], limit: number): readonly Task[] {
  return tasks.length <= limit ? tasks : tasks.slice(0, limit);
}
