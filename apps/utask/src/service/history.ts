import { toTimestamp } from '@holdfast/base';
import { utaskErrors } from '../model/errors.ts';
import { shortId } from '../model/id.ts';
import { decodeTask, encodeTask, type Task } from '../model/task.ts';
import { TASK_HISTORY } from '../model/buckets.ts';
import type { StateCheck, Utask } from './utask.ts';

export interface State {
  readonly revision: number;
  readonly at: string;
  /** Undefined where the task was deleted, or did not exist yet. */
  readonly task: Task | undefined;
}

/** What a task was, oldest first. Writing it again unchanged is no state of its own. */
export async function taskHistory(utask: Utask, id: string): Promise<readonly State[]> {
  const entries = await utask.buckets.tasks.history(id);
  return entries
    .filter(({ value }, index) => index === 0 || value !== entries[index - 1]?.value)
    .map(({ revision, at, value }) => ({
      revision,
      at: toTimestamp(at),
      task: value === undefined ? undefined : decodeTask(id, value),
    }));
}

/** A change that can be taken back: the task as the change left it. */
export interface Change {
  readonly id: string;
  readonly after: string | null;
}

export function changeOf(id: string, task: Task | undefined): Change {
  return { id, after: task === undefined ? null : encodeTask(task) };
}

/** Makes a task what it was before its last change, or at a revision. Gives what it is then. */
export async function undoChange(
  utask: Utask,
  id: string,
  { to, check }: { readonly to?: number | undefined; readonly check?: StateCheck } = {},
): Promise<Task | undefined> {
  const states = await taskHistory(utask, id);
  const current = states.at(-1);
  if (current === undefined) throw utaskErrors.NO_HISTORY(`Nothing is known of a task ${shortId(id)}.`);
  if (to === undefined) {
    if (states.length === 1 && !(await isWhole(utask, id))) {
      throw utaskErrors.NO_HISTORY(`The states of task ${shortId(id)} before this one are no longer kept.`);
    }
    return utask.restore(id, states.at(-2)?.task, check);
  }
  const target = states.find(({ revision }) => revision === to);
  if (target === undefined) throw utaskErrors.NO_HISTORY(`Task ${shortId(id)} has no revision ${to}.`);
  return utask.restore(id, target.task, check);
}

/** Brings a deleted task back as it last was. One that is there stays as it is: asking twice does no harm. */
export async function undelete(utask: Utask, idOrPrefix: string): Promise<Task> {
  const id = await utask.require(idOrPrefix, { withDeleted: true });
  const states = await taskHistory(utask, id);
  const last = states.findLast(({ task }) => task !== undefined)?.task;
  if (last === undefined) throw utaskErrors.NO_HISTORY(`Nothing is known of a task ${shortId(id)}.`);
  if (states.at(-1)?.task === undefined) await utask.restore(id, last);
  return last;
}

/** Whether the first state that is kept is how the task began. */
async function isWhole(utask: Utask, id: string): Promise<boolean> {
  return (await utask.buckets.tasks.history(id)).length < TASK_HISTORY;
}

/** Takes back what this machine changed last, unless somebody changed it since. */
export async function undoChanges(utask: Utask, changes: readonly Change[]): Promise<readonly Change[]> {
  const checks = new Map(changes.map((change) => [change.id, unchangedSince(change)]));
  for (const [id, check] of checks) check((await utask.buckets.tasks.get(id))?.value);
  const undone: Change[] = [];
  for (const [id, check] of checks) undone.push(changeOf(id, await undoChange(utask, id, { check })));
  return undone;
}

function unchangedSince({ id, after }: Change): StateCheck {
  return (value) => {
    if ((value ?? null) === after) return;
    const short = shortId(id);
    throw utaskErrors.NO_HISTORY(`Task ${short} was changed by others since.`, {
      hint: `'ut log ${short}' shows how; 'ut undo ${short}' takes the last change back, whoever made it.`,
    });
  };
}
