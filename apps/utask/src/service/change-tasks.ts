import { isHoldfastError } from '@holdfast/base';
import { operationErrors } from '@holdfast/operation';
import { normalizedTags } from '../model/tag.ts';
import { encodeTask, type Task } from '../model/task.ts';
import { addTasks } from './add-task.ts';
import type { UtaskHost } from './host.ts';
import type { Change } from './undo-log.ts';
import type { TaskChange } from './utask.ts';

export async function addTask(host: UtaskHost, text: string, tags: readonly string[]): Promise<Task> {
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

export async function markTasks(host: UtaskHost, prefixes: readonly string[], done: boolean): Promise<readonly Task[]> {
  const ids = await allIds(host, prefixes);
  return changeEach(host, ids, (id) => modify(host, id, () => ({ done })));
}

/** Also deletes a value that is not a task, and returns only its id. */
export async function deleteTasks(
  host: UtaskHost,
  prefixes: readonly string[],
): Promise<readonly (Task | { readonly id: string })[]> {
  const { utask } = host;
  const ids = await allIds(host, prefixes);
  return changeEach<Task | { readonly id: string }>(host, ids, async (id) => {
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

/** Records the changes as one step, also if a later one fails. */
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
