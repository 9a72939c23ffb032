import { isHoldfastError, Limiter } from '@holdfast/base';
import { operationErrors } from '@holdfast/operation';
import { normalizedTags } from '../model/tag.ts';
import { encodeTask, type Task } from '../model/task.ts';
import type { Change, UtaskHost } from './undo.ts';
import type { TaskChange, Utask } from './utask.ts';

export interface AddedTasks {
  readonly added: readonly Task[];
  /** Errors of the tasks that were not added. */
  readonly failures: readonly unknown[];
}

/** Concurrent additions share the writes of tag lists, which take most of the time. */
const CONCURRENT = 32;

/**
 * Adds one task for each text as it arrives. Reuses the task of an earlier attempt with unknown outcome,
 * so that it is not added twice. Stops reading after the first failure.
 */
export async function addTasks(
  { utask, unconfirmed, undoLog }: UtaskHost,
  texts: AsyncIterable<string> | Iterable<string>,
  tags: readonly string[],
): Promise<AddedTasks> {
  const pending = [...(unconfirmed.read() ?? [])];
  const before = pending.length;
  const lost: Task[] = [];
  const failures: unknown[] = [];
  const addText = async (text: string): Promise<Task | undefined> => {
    let task: Task | undefined;
    try {
      task = takeSame(pending, utask.draft(text, tags));
      return await addOne(utask, task);
    } catch (error) {
      if (task !== undefined && isHoldfastError(error, 'OUTCOME_UNKNOWN')) lost.push(task);
      failures.push(error);
      return undefined;
    }
  };
  const limiter = new Limiter(CONCURRENT);
  const adding: Promise<Task | undefined>[] = [];
  try {
    for await (const text of texts) {
      const release = await limiter.acquire();
      if (failures.length > 0) break;
      adding.push(addText(text).finally(release));
    }
  } catch (error) {
    failures.push(error);
  }
  const added = (await Promise.all(adding)).filter((task) => task !== undefined);
  const left = [...pending, ...lost];
  if (left.length !== before || lost.length > 0) unconfirmed.write(left.length === 0 ? undefined : left);
  undoLog.record(added.map((task) => ({ id: task.id, before: null, after: encodeTask(task) })));
  return { added, failures };
}

/** Removes the task of an earlier attempt from `pending` and returns it; without one, returns the draft. */
function takeSame(pending: Task[], draft: Task): Task {
  const isSame = (task: Task): boolean => task.text === draft.text && task.tags.join() === draft.tags.join();
  const at = pending.findIndex(isSame);
  return at < 0 ? draft : (pending.splice(at, 1)[0] as Task);
}

async function addOne(utask: Utask, task: Task): Promise<Task> {
  if ((await utask.insert(task)) || (await utask.resolve(task.id)).id !== undefined) return task;
  return utask.add(task.text, task.tags);
}

export async function addTask(host: UtaskHost, { text, tags }: Pick<Task, 'text' | 'tags'>): Promise<Task> {
  const { added, failures } = await addTasks(host, [text], tags);
  const [task] = added;
  if (task === undefined) throw failures[0];
  return task;
}

export interface UpdateRequest extends TaskChange {
  readonly id: string;
  readonly add_tags: readonly string[];
  readonly remove_tags: readonly string[];
}

export async function updateTask(host: UtaskHost, { id: idOrPrefix, ...request }: UpdateRequest): Promise<Task> {
  const { text, done, tags, add_tags: added, remove_tags: removed } = request;
  if (text === undefined && done === undefined && tags === undefined && added.length + removed.length === 0) {
    throw operationErrors.INPUT_INVALID('Nothing to change: give a text, a state or tags.');
  }
  const without = new Set(normalizedTags(removed));
  const id = await host.utask.require(idOrPrefix);
  const [task] = await changeEach(host, [id], (each) =>
    modify(host, each, (before) => ({
      text,
      done,
      tags: [...normalizedTags(tags ?? before.tags).filter((tag) => !without.has(tag)), ...normalizedTags(added)],
    })),
  );
  return task as Task;
}

interface TaskIds {
  /** Whole ids, or prefixes of them. */
  readonly ids: readonly string[];
}

export async function markTasks(
  host: UtaskHost,
  { ids, done }: TaskIds & { readonly done: boolean },
): Promise<readonly Task[]> {
  return changeEach(host, await allIds(host, ids), (id) => modify(host, id, () => ({ done })));
}

/** Also deletes a value that is not a task, and returns only its id. */
export async function deleteTasks(
  host: UtaskHost,
  { ids }: TaskIds,
): Promise<readonly (Task | { readonly id: string })[]> {
  const { utask } = host;
  return changeEach<Task | { readonly id: string }>(host, await allIds(host, ids), async (id) => {
    try {
      const task = await utask.delete(id);
      return { shown: task, change: { id, before: encodeTask(task), after: null } };
    } catch (error) {
      if (!isHoldfastError(error, 'BAD_RECORD')) throw error;
      return { shown: { id: await utask.discard(id) }, change: undefined };
    }
  });
}

/** Resolves every id before the first task is changed. */
async function allIds({ utask }: UtaskHost, prefixes: readonly string[]): Promise<readonly string[]> {
  return [...new Set(await Promise.all(prefixes.map((prefix) => utask.require(prefix))))];
}

interface Outcome<Shown> {
  readonly shown: Shown;
  readonly change: Change | undefined;
}

/** Records the changes as one step for undo, even if a later change fails. */
async function changeEach<Shown>(
  { undoLog }: UtaskHost,
  ids: readonly string[],
  changeOne: (id: string) => Promise<Outcome<Shown>>,
): Promise<readonly Shown[]> {
  const outcomes: Outcome<Shown>[] = [];
  try {
    for (const id of ids) outcomes.push(await changeOne(id));
  } finally {
    undoLog.record(outcomes.flatMap(({ change }) => (change === undefined ? [] : [change])));
  }
  return outcomes.map(({ shown }) => shown);
}

async function modify({ utask }: UtaskHost, id: string, change: (task: Task) => TaskChange): Promise<Outcome<Task>> {
  let before = '';
  const task = await utask.modify(id, (current) => {
    before = encodeTask(current);
    return change(current);
  });
  return { shown: task, change: { id, before, after: encodeTask(task) } };
}
