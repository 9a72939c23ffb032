import { byCreation, readTask } from '../model/task.ts';
import { readableTasks, type StoreParts } from './parts.ts';
import { retire } from './retire.ts';

export interface Listing {
  readonly tag: string;
  readonly id: string;
}

export interface IndexReport {
  readonly tasks: number;
  readonly tags: number;
  /** The task has the tag, the list lacks the id. */
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
 * Compares lists with tasks. Reads the tasks first: an id is listed before its task is stored, so
 * an entry can only be missing from a later list if the task changed, and then the task is read again.
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
    missing: await stillSo(store, missing, true),
    stale: await stillSo(store, stale, false),
    ...(found.length === tasks.length
      ? {}
      : { unreadable: found.map(([key]) => key).filter((key) => !tasksById.has(key)) }),
  };
}

/**
 * Writes each difference on its own: replacing whole lists by what a scan saw would undo
 * later changes of others.
 */
export async function rebuildIndex(store: StoreParts): Promise<Rebuilt> {
  const { tasks, tags, missing, stale } = await compareIndex(store);
  await Promise.all(missing.map(({ tag, id }) => store.lists.append(tag, id)));
  const lostMeanwhile = await stillSo(store, missing, false);
  for (const { tag, id } of [...stale, ...lostMeanwhile]) await retire(store, id, [tag]);
  return { tasks, tags, added: missing.length, removed: stale.length };
}

/** Filters by whether the task has the tag now. */
async function stillSo(store: StoreParts, listings: readonly Listing[], hasTag: boolean): Promise<readonly Listing[]> {
  const values = await store.buckets.tasks.values(listings.map(({ id }) => id));
  return listings.filter(({ tag, id }, index) => {
    const value = values[index];
    return (value !== undefined && readTask(id, value)?.tags.includes(tag) === true) === hasTag;
  });
}

function pair(id: string): (tag: string) => Listing {
  return (tag) => ({ tag, id });
}
