import { toTimestamp } from '@holdfast/base';
import { utaskErrors } from '../model/errors.ts';
import { shortId } from '../model/id.ts';
import { decodeTask, type Task } from '../model/task.ts';
import { TASK_HISTORY } from '../model/buckets.ts';
import type { Utask } from './utask.ts';

interface State {
  readonly revision: number;
  readonly at: string;
  /** Undefined where the task was deleted or did not exist yet. */
  readonly task: Task | undefined;
}

/** Returns the kept states of a task, oldest first. Rewriting a task unchanged adds no state. */
async function taskHistory(utask: Utask, id: string): Promise<readonly State[]> {
  const entries = await utask.buckets.tasks.history(id);
  return entries
    .filter(({ value }, index) => index === 0 || value !== entries[index - 1]?.value)
    .map(({ revision, at, value }) => ({
      revision,
      at: toTimestamp(at),
      task: value === undefined ? undefined : decodeTask(id, value),
    }));
}

/** Returns the states of a task as `ut log` shows them, also of a deleted one. */
export async function knownStates(utask: Utask, idOrPrefix: string): Promise<readonly KnownState[]> {
  const id = await utask.require(idOrPrefix, { withDeleted: true });
  const states = (await taskHistory(utask, id)).filter(({ task }, index) => index > 0 || task !== undefined);
  return states.map((state) => ({ ...state, task: state.task ?? null }));
}

interface KnownState extends Omit<State, 'task'> {
  readonly task: Task | null;
}

/** Returns the state before the last change, or at a revision; undefined if the task did not exist then. */
export async function earlierState(utask: Utask, id: string, to: number | undefined): Promise<Task | undefined> {
  const states = await taskHistory(utask, id);
  if (states.length === 0) throw utaskErrors.NO_HISTORY(`Nothing is known of a task ${shortId(id)}.`);
  if (to === undefined) {
    if (states.length === 1 && !(await isWhole(utask, id))) {
      throw utaskErrors.NO_HISTORY(`The states of task ${shortId(id)} before this one are no longer kept.`);
    }
    return states.at(-2)?.task;
  }
  const target = states.find(({ revision }) => revision === to);
  if (target === undefined) throw utaskErrors.NO_HISTORY(`Task ${shortId(id)} has no revision ${to}.`);
  return target.task;
}

/** Brings a deleted task back as it last was. A task that exists stays as it is. */
export async function undelete(utask: Utask, idOrPrefix: string): Promise<Task> {
  const id = await utask.require(idOrPrefix, { withDeleted: true });
  const states = await taskHistory(utask, id);
  const last = states.findLast(({ task }) => task !== undefined)?.task;
  if (last === undefined) throw utaskErrors.NO_HISTORY(`Nothing is known of a task ${shortId(id)}.`);
  if (states.at(-1)?.task === undefined) await utask.restore(id, last);
  return last;
}

/** Returns whether all states since the task was added are kept. */
async function isWhole(utask: Utask, id: string): Promise<boolean> {
  return (await utask.buckets.tasks.history(id)).length < TASK_HISTORY;
}
