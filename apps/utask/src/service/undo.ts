import { operationErrors } from '@holdfast/operation';
import { utaskErrors } from '../model/errors.ts';
import { shortId } from '../model/id.ts';
import { encodeTask, readTask, type Task } from '../model/task.ts';
import { earlierState } from './history.ts';
import type { UtaskHost } from './host.ts';
import type { Change, Step } from './undo-log.ts';

export interface UndoRequest {
  /** Undo the last change of this task, whoever made it. */
  readonly id?: string | undefined;
  /** Go back to this revision of the task. */
  readonly to?: number | undefined;
  readonly dry_run: boolean;
}

export interface Undone {
  readonly id: string;
  /** The task as it is afterwards, null if it does not exist then. */
  readonly task: Task | null;
}

/** Without an id, goes back one step of this machine; with one, to an earlier state of that task. */
export async function undo(host: UtaskHost, { id, to, dry_run }: UndoRequest): Promise<readonly Undone[]> {
  if (id !== undefined) return undoTask(host, id, { to, dry_run });
  if (to !== undefined) throw operationErrors.INPUT_INVALID('A revision belongs to one task: give its id.');
  const step = host.undoLog.steps.undo.at(-1);
  if (step === undefined) throw utaskErrors.NO_HISTORY('There is nothing to undo on this machine.');
  const undone = await apply(host, step.map(reversed), dry_run);
  if (!dry_run) host.undoLog.undone();
  return undone;
}

export async function redo(host: UtaskHost, { dry_run }: { readonly dry_run: boolean }): Promise<readonly Undone[]> {
  const step = host.undoLog.steps.redo.at(-1);
  if (step === undefined) throw utaskErrors.NO_HISTORY('There is nothing to redo on this machine.');
  const redone = await apply(host, step, dry_run);
  if (!dry_run) host.undoLog.redone();
  return redone;
}

function reversed({ id, before, after }: Change): Change {
  return { id, before: after, after: before };
}

/** Checks every task before changing the first: changes by others since then are kept. */
async function apply({ utask }: UtaskHost, step: Step, dryRun: boolean): Promise<readonly Undone[]> {
  for (const change of step) assertUnchanged(change, (await utask.buckets.tasks.get(change.id))?.value);
  const done: Undone[] = [];
  for (const change of step) {
    const task = change.after === null ? undefined : readTask(change.id, change.after);
    if (!dryRun) await utask.restore(change.id, task, (value) => assertUnchanged(change, value));
    done.push({ id: change.id, task: task ?? null });
  }
  return done;
}

function assertUnchanged({ id, before }: Change, value: string | undefined): void {
  if ((value ?? null) === before) return;
  const short = shortId(id);
  throw utaskErrors.NO_HISTORY(`Task ${short} was changed by others since.`, {
    hint: `'ut log ${short}' shows how; 'ut undo ${short}' undoes its last change, whoever made it.`,
  });
}

async function undoTask(
  { utask, undoLog }: UtaskHost,
  idOrPrefix: string,
  { to, dry_run: dryRun }: Omit<UndoRequest, 'id'>,
): Promise<readonly Undone[]> {
  const id = await utask.require(idOrPrefix, { withDeleted: true });
  const before = (await utask.buckets.tasks.get(id))?.value ?? null;
  const task = await earlierState(utask, id, to);
  if (!dryRun) {
    await utask.restore(id, task);
    undoLog.record([{ id, before, after: task === undefined ? null : encodeTask(task) }]);
  }
  return [{ id, task: task ?? null }];
}
