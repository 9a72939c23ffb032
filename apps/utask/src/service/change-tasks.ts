import { isHoldfastError, Limiter } from '@holdfast/base';
import { operationErrors } from '@holdfast/operation';
import type { DetailChange } from '../model/details.ts';
import { utaskErrors } from '../model/errors.ts';
import { normalizedTags } from '../model/tag.ts';
import { decodeTask, encodeTask, isTaskId, shortId, type Task } from '../model/task.ts';
import type { Change, UtaskHost } from './undo.ts';
import type { TaskChange, Utask } from './utask.ts';

export interface AddedTasks {
  readonly added: readonly Task[];
  /** Errors for the tasks that were not added. */
  readonly failures: readonly unknown[];
}

/** Number of tasks added concurrently. They share writes to tag lists, which take most of the time. */
const CONCURRENT = 32;

/**
 * Adds one task for each text as it arrives. If an earlier attempt to add the same text had an unknown outcome, reuses
 * its task, so that the text is not added twice. After a failure, adds no further texts.
 */
export async function addTasks(
  { utask, unconfirmed, undoLog }: UtaskHost,
  texts: AsyncIterable<string> | Iterable<string>,
  tags: readonly string[],
  details: DetailChange = {},
): Promise<AddedTasks> {
  const pending = [...(unconfirmed.read() ?? [])];
  const before = pending.length;
  const lost: Task[] = [];
  const failures: unknown[] = [];
  let failedAt = Number.POSITIVE_INFINITY;
  const fail = (error: unknown, at: number): undefined => {
    failures.push(error);
    failedAt = Math.min(failedAt, at);
  };
  const limiter = new Limiter(CONCURRENT);
  const addText = async (text: string, at: number): Promise<Task | undefined> => {
    let task: Task | undefined;
    try {
      const draft = utask.draft(text, tags, details);
      const chosen = takeSame(pending, draft);
      task = chosen;
      // Plans the addition before waiting for the limiter, so that texts that arrive together share one write of the
      // undo log.
      await undoLog.planTogether(additionOf(chosen));
      return await limiter.run(async () => {
        if (at < failedAt) return addOne(utask, chosen, details);
        if (chosen !== draft) lost.push(chosen);
        return undefined;
      });
    } catch (error) {
      if (task !== undefined && isHoldfastError(error, 'OUTCOME_UNKNOWN')) lost.push(task);
      return fail(error, at);
    }
  };
  const adding: Promise<Task | undefined>[] = [];
  try {
    for await (const text of texts) {
      if (failures.length > 0) break;
      adding.push(addText(text, adding.length));
    }
  } catch (error) {
    fail(error, adding.length);
  }
  const added = (await Promise.all(adding)).filter((task) => task !== undefined);
  const left = [...pending, ...lost];
  if (left.length !== before || lost.length > 0) unconfirmed.write(left.length === 0 ? undefined : left);
  undoLog.record(added.map(additionOf));
  return { added, failures };
}

function additionOf(task: Task): Change {
  return { id: task.id, before: null, after: encodeTask(task) };
}

/**
 * If `pending` contains a task with the same content, from an earlier attempt, removes that task from `pending` and
 * returns it. Otherwise returns the draft.
 */
function takeSame(pending: Task[], draft: Task): Task {
  const at = pending.findIndex((task) => content(task) === content(draft));
  return at < 0 ? draft : (pending.splice(at, 1)[0] as Task);
}

function content({ id: _, created: __, ...rest }: Task): string {
  return JSON.stringify(rest);
}

async function addOne(utask: Utask, task: Task, details: DetailChange): Promise<Task> {
  if ((await utask.insert(task)) || (await utask.resolve(task.id)).id !== undefined) return task;
  return utask.add(task.text, task.tags, details);
}

interface AddRequest extends DetailChange {
  readonly text: string;
  readonly tags: readonly string[];
}

export async function addTask(host: UtaskHost, { text, tags, ...details }: AddRequest): Promise<Task> {
  const { added, failures } = await addTasks(host, [text], tags, details);
  const [task] = added;
  if (task === undefined) throw failures[0];
  return task;
}

export interface UpdateRequest extends TaskChange {
  readonly id: string;
  readonly add_tags: readonly string[];
  readonly remove_tags: readonly string[];
  /** Makes the change only if the task has not changed since this revision. */
  readonly if_revision?: number | undefined;
  /** Called with the task at the moment of the change; throws to prevent the change. */
  readonly check?: (before: Task) => void;
}

export async function updateTask(host: UtaskHost, request: UpdateRequest): Promise<Task> {
  const { id: idOrPrefix, if_revision: revision, add_tags: added, remove_tags: removed, ...rest } = request;
  const { check, tags, ...change } = rest;
  const isEmpty = [tags, ...Object.values(change)].every((value) => value === undefined);
  if (isEmpty && added.length + removed.length === 0) {
    throw operationErrors.INPUT_INVALID('Nothing to change: give a text, a state, tags, a due date or a priority.');
  }
  const without = new Set(normalizedTags(removed));
  const id = await host.utask.require(idOrPrefix);
  const expected = revision === undefined ? undefined : await contentAt(host.utask, id, revision);
  const [task] = await changeEach(host, [id], (each) =>
    modify(host, each, (before) => {
      check?.(before);
      if (expected !== undefined && encodeTask(before) !== expected) throw taskChanged(id, revision);
      const kept = normalizedTags(tags ?? before.tags).filter((tag) => !without.has(tag));
      return { ...change, tags: [...kept, ...normalizedTags(added)] };
    }),
  );
  return task as Task;
}

/** Compares contents, because repairing a tag list gives an unchanged task a new revision. */
async function contentAt(utask: Utask, id: string, revision: number): Promise<string> {
  const entry = (await utask.buckets.tasks.history(id)).find((state) => state.revision === revision);
  if (entry?.value === undefined) throw taskChanged(id, revision);
  return encodeTask(decodeTask(id, entry.value));
}

function taskChanged(id: string, revision: number | undefined): Error {
  return utaskErrors.TASK_CHANGED(`Task ${shortId(id)} has changed since revision ${revision}.`);
}

interface TaskIds {
  /** Whole ids, or prefixes of them. */
  readonly ids: readonly string[];
}

export async function markTasks(
  host: UtaskHost,
  { ids, done }: TaskIds & { readonly done: boolean },
): Promise<readonly Task[]> {
  // Resolves every id before the first task is changed.
  const known = new Set(await Promise.all(ids.map((id) => host.utask.require(id))));
  return changeEach(host, [...known], (id) => modify(host, id, () => ({ done })));
}

/** Also deletes values that are not tasks; for these, returns only the id. */
export async function deleteTasks(
  host: UtaskHost,
  { ids }: TaskIds,
): Promise<readonly (Task | { readonly id: string })[]> {
  const { utask, undoLog } = host;
  const keys = [...new Set(await Promise.all(ids.map((each) => utask.requireKey(each))))];
  return changeEach<Task | { readonly id: string }>(host, keys, async (id) => {
    if (!isTaskId(id)) return { shown: { id: await utask.discard(id) }, change: undefined };
    try {
      const toChange = (task: Task): Change => ({ id, before: encodeTask(task), after: null });
      const task = await utask.delete(id, (before) => undoLog.plan([toChange(before)]));
      return { shown: task, change: toChange(task) };
    } catch (error) {
      if (!isHoldfastError(error, 'BAD_RECORD')) throw error;
      return { shown: { id: await utask.discard(id) }, change: undefined };
    }
  });
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

async function modify(
  { utask, undoLog }: UtaskHost,
  id: string,
  change: (task: Task) => TaskChange,
): Promise<Outcome<Task>> {
  let planned: Change | undefined;
  const shown = await utask.modify(id, change, (before, after) => {
    planned = { id, before: encodeTask(before), after: encodeTask(after) };
    undoLog.plan([planned]);
  });
  return { shown, change: planned };
}
