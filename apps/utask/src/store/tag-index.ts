import { type Clock, SECOND } from '@holdfast/base';
import { utaskErrors } from '../model/errors.ts';
import { normalizedTags } from '../model/tag.ts';
import { byCreation, readTask, shortId, type Task } from '../model/task.ts';
import type { Buckets, Entry } from './bucket.ts';
import type { TagLists } from './tag-lists.ts';

export interface StoreOptions {
  readonly clock: Clock;
  readonly nonce: () => Uint8Array;
  readonly pause: (attempt: number) => Promise<void>;
  readonly shardSize?: number;
  /** Called for each value that is not a task, which reads skip. One bad value must not hide all tasks. */
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

function readableTasks({ options }: StoreParts, found: readonly (readonly [string, string])[]): Task[] {
  const tasks: Task[] = [];
  for (const [key, value] of found) {
    const task = readTask(key, value);
    if (task === undefined) options.onUnreadable?.(key);
    else tasks.push(task);
  }
  return tasks;
}

export interface Query {
  /** Tasks with at least one of these tags. */
  readonly any?: readonly string[];
  /** Tasks with all of these tags. */
  readonly all?: readonly string[];
  /** Maximum number of tasks, oldest first; 0 or undefined means all. */
  readonly limit?: number;
}

/** Lists that changed within this time are not corrected: a correction would slow down a change in progress. */
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

/** Removes stale ids from the lists: at most 100, and only from lists that have not changed recently. */
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
    // Ignores errors: the answer is right even if the lists are not corrected, and this user may not be allowed to
    // write.
    await retire(store, id, tags).catch(() => undefined);
  }
}

function tagsListing(lists: readonly List[], id: string): readonly string[] {
  return lists.filter(({ ids }) => ids.has(id)).map(({ tag }) => tag);
}

function limited(tasks: readonly Task[], limit: number): readonly Task[] {
  return tasks.length <= limit ? tasks : tasks.slice(0, limit);
}

export interface Listing {
  readonly tag: string;
  readonly id: string;
}

export interface IndexReport {
  readonly tasks: number;
  readonly tags: number;
  /** The task has the tag, but the list lacks the id. */
  readonly missing: readonly Listing[];
  /** The list has the id, but the task lacks the tag or is gone. */
  readonly stale: readonly Listing[];
  /** Keys whose value is not a task; omitted if there are none. */
  readonly unreadable?: readonly string[];
}

export interface Rebuilt {
  readonly tasks: number;
  readonly tags: number;
  readonly added: number;
  readonly removed: number;
}

/**
 * Compares the tag lists with the tasks. Reads the tasks first: an id is added to a tag list before its task is stored
 * with that tag. So if a list lacks an id, the task may have lost the tag since it was read, and is read again.
 */
export async function compareIndex(store: StoreParts): Promise<IndexReport> {
  const found = await store.buckets.tasks.scan();
  const tasks = readableTasks(store, found).sort(byCreation);
  const lists = await store.lists.all();
  const tasksById = new Map(tasks.map((task) => [task.id, task]));
  const missing = tasks.flatMap(({ id, tags }) => tags.filter((tag) => lists.get(tag)?.has(id) !== true).map(pair(id)));
  const stale: Listing[] = [];
  for (const [tag, ids] of lists) {
    for (const id of ids) if (tasksById.get(id)?.tags.includes(tag) !== true) stale.push({ tag, id });
  }
  return {
    tasks: tasks.length,
    tags: lists.size,
    missing: await withTagNow(store, missing, true),
    stale: await withTagNow(store, stale, false),
    ...(found.length === tasks.length
      ? {}
      : { unreadable: found.map(([key]) => key).filter((key) => !tasksById.has(key)) }),
  };
}

/**
 * Writes each difference on its own. Replacing whole lists with the result of a scan would undo later changes by other
 * clients.
 */
export async function rebuildIndex(store: StoreParts): Promise<Rebuilt> {
  const { tasks, tags, missing, stale } = await compareIndex(store);
  await Promise.all(missing.map(({ tag, id }) => store.lists.append(tag, id)));
  const lostMeanwhile = await withTagNow(store, missing, false);
  for (const { tag, id } of [...stale, ...lostMeanwhile]) await retire(store, id, [tag]);
  return { tasks, tags, added: missing.length, removed: stale.length };
}

/** Returns the entries whose task has the tag now or, if `hasTag` is false, does not have it. */
async function withTagNow(
  store: StoreParts,
  listings: readonly Listing[],
  hasTag: boolean,
): Promise<readonly Listing[]> {
  const values = await store.buckets.tasks.values(listings.map(({ id }) => id));
  return listings.filter(({ tag, id }, index) => {
    const value = values[index];
    return (value !== undefined && readTask(id, value)?.tags.includes(tag) === true) === hasTag;
  });
}

function pair(id: string): (tag: string) => Listing {
  return (tag) => ({ tag, id });
}

const ATTEMPTS_MAX = 2_000;

/**
 * Removes an id from the lists of tags that its task does not have.
 *
 * A writer may have just added the id to a list and be about to store the task with that tag. Removing the id between
 * these steps would leave a task that a query for its tag does not find. So this function rewrites the task unchanged,
 * as a fence, after it reads the lists and before it changes them (a missing task gets another deletion marker). A
 * writer that read the task before the fence conflicts and retries. A writer that reads it later changes the list, and
 * the removal conflicts.
 */
export async function retire(store: StoreParts, id: string, tags: readonly string[]): Promise<void> {
  let left = tags;
  for (let attempt = 1; left.length > 0; attempt++) {
    if (attempt > ATTEMPTS_MAX)
      throw utaskErrors.STORE_CONTENDED(`Other clients changed task ${shortId(id)} during every attempt.`);
    const located = await store.lists.locate(left, id);
    const entry = await store.buckets.tasks.get(id);
    const wanted = tagsOf(entry, id);
    const stale = located.filter(({ tag, shards }) => shards.length > 0 && !wanted.includes(tag));
    if (stale.length === 0) return;
    left = stale.map(({ tag }) => tag);
    const isFenced = (await store.buckets.tasks.replace(id, entry?.value, entry?.revision ?? 0)) !== undefined;
    if (isFenced) left = await store.lists.remove(stale, id);
    if (left.length > 0) await store.options.pause(attempt);
  }
}

function tagsOf(entry: Entry | undefined, id: string): readonly string[] {
  return entry?.value === undefined ? [] : (readTask(id, entry.value)?.tags ?? []);
}
