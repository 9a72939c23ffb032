import { failpoint, toTimestamp } from '@holdfast/base';
import { isBucketKey } from '../model/buckets.ts';
import { type DetailChange, withDetails } from '../model/details.ts';
import { utaskErrors } from '../model/errors.ts';
import {
  checkedPrefix,
  checkedText,
  checkedTime,
  decodeTask,
  encodeTask,
  ID_LENGTH,
  readTask,
  shortId,
  type Task,
  taskId,
  distinctPrefixes,
} from '../model/task.ts';
import { normalizedTags } from '../model/tag.ts';
import type { Buckets, Entry, Replication, StoreFacts } from '../store/bucket.ts';
import {
  allTasks,
  compareIndex,
  findTasks,
  type IndexReport,
  type Query,
  rebuildIndex,
  type Rebuilt,
  retire,
  type StoreOptions,
  type StoreParts,
} from '../store/tag-index.ts';
import { TagLists } from '../store/tag-lists.ts';

/** Fields to change; omitted ones stay unchanged. */
export interface TaskChange extends DetailChange {
  readonly text?: string | undefined;
  readonly done?: boolean | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** Called with the stored value before a change; throws to prevent the change. */
export type StateCheck = (value: string | undefined) => void;

export interface Resolution {
  /** The id, if exactly one id has this prefix. */
  readonly id: string | undefined;
  /** All ids with this prefix, if there are several. */
  readonly candidates: readonly string[];
}

export interface TaskEvent {
  readonly id: string;
  /** Undefined when the task was deleted. */
  readonly task: Task | undefined;
  readonly revision: number;
  readonly at: number;
}

const ATTEMPTS_MAX = 200;

/**
 * The task list, on any pair of buckets.
 *
 * A task and its tag lists are different keys, and no write covers two keys. The order of writes keeps them consistent:
 * an id is added to a list *before* its task gets the tag, and removed *after* the task loses the tag. So an
 * interruption leaves an extra id on a list, never a missing one, and every answer is checked against the tasks.
 *
 * Removing an id must not race with a writer that is adding it: see `retire` in tag-index.ts.
 */
export class Utask implements StoreParts {
  readonly buckets: Buckets;
  readonly lists: TagLists;
  readonly options: StoreOptions;

  constructor(buckets: Buckets, options: StoreOptions) {
    this.buckets = buckets;
    this.options = options;
    this.lists = new TagLists(buckets.tags, options);
  }

  /** Location and guarantees of the store. */
  get facts(): StoreFacts {
    return this.buckets.facts;
  }

  async status(): Promise<StoreFacts & { readonly replication: readonly Replication[] }> {
    return { ...this.facts, replication: await this.buckets.replication() };
  }

  async add(text: string, tags: readonly string[] = [], details: DetailChange = {}): Promise<Task> {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      const task = this.draft(text, tags, details);
      if (await this.insert(task)) return task;
      // Another client called `retire` for this id, which wrote a deletion marker before the task was stored. Removes
      // the id from the tag lists; the next attempt uses a new id.
      await retire(this, task.id, task.tags);
    }
    throw utaskErrors.STORE_CONTENDED('The task could not be added.');
  }

  /** Returns a task that is not stored yet. Inserting it several times stores it once. */
  draft(text: string, tags: readonly string[], details: DetailChange = {}): Task {
    const now = this.options.clock();
    const created = toTimestamp(checkedTime(now));
    const checked = checkedText(text);
    const id = taskId({ created, text: checked, nonce: this.options.nonce() });
    return withDetails({ id, text: checked, done: false, tags: normalizedTags(tags), created }, details, now);
  }

  /** Stores a task under its id. Returns false if that id exists or was deleted. */
  async insert(task: Task): Promise<boolean> {
    await Promise.all(task.tags.map((tag) => this.lists.append(tag, task.id)));
    failpoint('utask.add.listed');
    const revision = await this.buckets.tasks.replace(task.id, encodeTask(task), 0);
    failpoint('utask.add.stored');
    return revision !== undefined;
  }

  async get(idOrPrefix: string): Promise<Task> {
    return (await this.getWithRevision(idOrPrefix)).task;
  }

  async getWithRevision(idOrPrefix: string): Promise<{ readonly task: Task; readonly revision: number }> {
    const id = await this.require(idOrPrefix);
    const entry = await this.buckets.tasks.get(id);
    return { task: taskOf(entry, id), revision: entry?.revision ?? 0 };
  }

  update(idOrPrefix: string, set: TaskChange): Promise<Task> {
    return this.modify(idOrPrefix, () => set);
  }

  /**
   * Like `update`, but derives the change from the current task: calls `change` with the task, and then `onPlanned`.
   * Calls both again after each conflict.
   */
  async modify(
    idOrPrefix: string,
    change: (task: Task) => TaskChange,
    onPlanned?: (before: Task, after: Task) => void,
  ): Promise<Task> {
    const id = await this.require(idOrPrefix);
    return this.#rewrite(id, (entry) => {
      const task = taskOf(entry, id);
      const next = changed(task, change(task), this.options.clock());
      onPlanned?.(task, next);
      return { before: task.tags, after: next };
    });
  }

  /** Returns the deleted task. `check` may throw to prevent the deletion. */
  async delete(idOrPrefix: string, check?: (task: Task) => void): Promise<Task> {
    const id = await this.require(idOrPrefix);
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      const entry = await this.buckets.tasks.get(id);
      const task = taskOf(entry, id);
      check?.(task);
      const located = await this.lists.locate(task.tags, id);
      if ((await this.buckets.tasks.replace(id, undefined, entry?.revision ?? 0)) !== undefined) {
        failpoint('utask.delete.deleted');
        await retire(this, id, await this.lists.remove(located, id));
        return task;
      }
      await this.options.pause(attempt);
    }
    throw utaskErrors.STORE_CONTENDED(`Other clients changed task ${shortId(id)} during every attempt.`);
  }

  /** Resolves a prefix of a task id. Also accepts the whole key of a value that is not a task. */
  async requireKey(typed: string): Promise<string> {
    const isForeign = isBucketKey(typed) && (await this.buckets.tasks.get(typed))?.value !== undefined;
    return isForeign ? typed : this.require(typed);
  }

  /** Removes a value that is not a task. */
  async discard(id: string): Promise<string> {
    const entry = await this.buckets.tasks.get(id);
    const isUnreadable = entry?.value !== undefined && readTask(id, entry.value) === undefined;
    if (!isUnreadable) throw notFound(id);
    if ((await this.buckets.tasks.replace(id, undefined, entry.revision)) === undefined) {
      throw utaskErrors.STORE_CONTENDED(`Another client changed the value under ${shortId(id)}.`);
    }
    return id;
  }

  /** Writes an earlier state of a task, or deletes the task. `check` may throw to prevent the change. */
  async restore(id: string, state: Task | undefined, check?: StateCheck): Promise<Task | undefined> {
    if (state === undefined) return this.delete(id, (task) => check?.(encodeTask(task))).then(() => undefined);
    return this.#rewrite(id, (entry) => {
      check?.(entry?.value);
      const before = entry?.value === undefined ? [] : (readTask(id, entry.value)?.tags ?? []);
      return { before, after: state };
    });
  }

  query(query: Query = {}): Promise<readonly Task[]> {
    return findTasks(this, query);
  }

  all(): Promise<readonly Task[]> {
    return allTasks(this);
  }

  /** Resolves a prefix as git does. A whole id takes one read; a prefix needs a list of keys. */
  async resolve(prefix: string, { withDeleted = false } = {}): Promise<Resolution> {
    const wanted = checkedPrefix(prefix);
    const names = wanted.length === ID_LENGTH ? [wanted] : await this.buckets.tasks.keys(wanted);
    const entries = await Promise.all([...new Set(names)].map((key) => this.buckets.tasks.get(key)));
    const found = entries.filter((entry) => entry !== undefined && (withDeleted || entry.value !== undefined));
    const ids = found.map((entry) => (entry as Entry).key).sort();
    return ids.length === 1 ? { id: ids[0], candidates: [] } : { id: undefined, candidates: ids };
  }

  /** Resolves a prefix, or throws with the candidates. Returns a whole id without checking that it exists. */
  async require(idOrPrefix: string, options: { readonly withDeleted?: boolean } = {}): Promise<string> {
    const wanted = checkedPrefix(idOrPrefix);
    if (wanted.length === ID_LENGTH) return wanted;
    const { id, candidates } = await this.resolve(wanted, options);
    if (id !== undefined) return id;
    if (candidates.length === 0) throw notFound(idOrPrefix);
    throw utaskErrors.ID_AMBIGUOUS(`${candidates.length} task ids begin with "${idOrPrefix}".`, {
      hint: `Give more characters. Matching ids: ${distinctPrefixes(candidates).slice(0, 10).join(', ')}`,
      details: { candidates },
    });
  }

  /** Corrects the tag lists from the tasks, even while other clients write. */
  rebuildIndex(): Promise<Rebuilt> {
    return rebuildIndex(this);
  }

  check(): Promise<IndexReport> {
    return compareIndex(this);
  }

  /**
   * Removes the markers of tasks and tag lists that were deleted longer ago than this. Returns the number of removed
   * markers of each kind.
   */
  async purge(olderThanMs: number): Promise<{ readonly tasks: number; readonly tags: number }> {
    return {
      tasks: await this.buckets.tasks.purge(olderThanMs),
      tags: await this.buckets.tags.purge(olderThanMs),
    };
  }

  /** Reports every change to a task, by any client. */
  async watch(signal: AbortSignal): Promise<AsyncIterable<TaskEvent>> {
    return toEvents(await this.buckets.tasks.watch(signal), this.options);
  }

  close(options?: { readonly processIsEnding?: boolean }): Promise<void> {
    return this.buckets.close(options);
  }

  async #rewrite(
    id: string,
    plan: (entry: Entry | undefined) => { readonly before: readonly string[]; readonly after: Task },
  ): Promise<Task> {
    const listed = new Set<string>();
    const unwanted = ({ tags }: Task): readonly string[] => [...listed].filter((tag) => !tags.includes(tag));
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      const entry = await this.buckets.tasks.get(id);
      const { before, after } = await planned(
        () => plan(entry),
        () => retire(this, id, [...listed]),
      );
      const value = encodeTask(after);
      if (entry?.value === value) {
        await retire(this, id, unwanted(after));
        return after;
      }
      const added = after.tags.filter((tag) => !before.includes(tag));
      const dropped = before.filter((tag) => !after.tags.includes(tag));
      for (const tag of added) listed.add(tag);
      const [located] = await Promise.all([
        this.lists.locate(dropped, id),
        Promise.all(added.map((tag) => this.lists.ensure(tag, id))),
      ]);
      failpoint('utask.update.listed');
      if ((await this.buckets.tasks.replace(id, value, entry?.revision ?? 0)) !== undefined) {
        failpoint('utask.update.written');
        await retire(this, id, [...(await this.lists.remove(located, id)), ...unwanted(after)]);
        return after;
      }
      await this.options.pause(attempt);
    }
    throw utaskErrors.STORE_CONTENDED(`Other clients changed task ${shortId(id)} during every attempt.`);
  }
}

async function planned<T>(plan: () => T, giveUp: () => Promise<void>): Promise<T> {
  try {
    return plan();
  } catch (error) {
    await giveUp();
    throw error;
  }
}

function changed({ completed, ...task }: Task, change: TaskChange, now: number): Task {
  const { text, done = task.done, tags } = change;
  const completion = task.done ? completed : toTimestamp(checkedTime(now));
  const next = {
    ...task,
    text: text === undefined ? task.text : checkedText(text),
    done,
    tags: tags === undefined ? task.tags : normalizedTags(tags),
    ...(done && completion !== undefined ? { completed: completion } : {}),
  };
  return withDetails(next, change, now);
}

function taskOf(entry: Entry | undefined, id: string): Task {
  if (entry?.value === undefined) throw notFound(id);
  return decodeTask(id, entry.value);
}

function notFound(idOrPrefix: string): Error {
  return utaskErrors.TASK_NOT_FOUND(`No task id begins with "${idOrPrefix}".`);
}

async function* toEvents(
  entries: AsyncIterable<Entry>,
  { onUnreadable }: StoreOptions,
): AsyncGenerator<TaskEvent, void, undefined> {
  for await (const { key, value, revision, at } of entries) {
    const task = value === undefined ? undefined : readTask(key, value);
    if (value !== undefined && task === undefined) onUnreadable?.(key);
    else yield { id: key, task, revision, at };
  }
}
