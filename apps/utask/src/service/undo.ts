import { failpoint, toTimestamp } from '@holdfast/base';
import { operationErrors } from '@holdfast/operation';
import { TASK_HISTORY } from '../model/buckets.ts';
import { utaskErrors } from '../model/errors.ts';
import { decodeTask, encodeTask, readTask, shortId, type Task } from '../model/task.ts';
import type { Utask } from './utask.ts';

/** A change to one task: its stored values before and after the change. A value is null if there was no task. */
export interface Change {
  readonly id: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The changes that one command made together. */
export type Step = readonly Change[];

export interface UndoSteps {
  /** Newest last. */
  readonly undo: readonly Step[];
  readonly redo: readonly Step[];
}

/** A value that one command leaves for the next. */
interface Remembered<Value> {
  read(): Value | undefined;
  /** Returns false if it cannot be stored. */
  write(value: Value | undefined): boolean;
}

const nothing: Remembered<never> = { read: () => undefined, write: () => true };

const STEPS_MAX = 50;
const NO_STEPS: UndoSteps = { undo: [], redo: [] };

/**
 * The undo and redo steps of this machine for one task list.
 *
 * A command plans its changes before it makes them, and at its end records which changes it made. A killed command
 * leaves its plan, so `ut undo` covers the part that it completed.
 */
export class UndoLog {
  readonly #store: Remembered<UndoSteps>;
  readonly #onUnrecorded: (() => void) | undefined;
  /** The planned changes of this command, by task id. */
  readonly #planned = new Map<string, Change>();
  /** The redo steps from before this command. They are restored if the command changes nothing. */
  #redoBefore: readonly Step[] = [];
  #arriving: Change[] = [];
  #arrived: Promise<void> | undefined;

  /** Without a store, as on a server, nothing can be undone. */
  constructor(store: Remembered<UndoSteps> = nothing, onUnrecorded?: () => void) {
    this.#store = store;
    this.#onUnrecorded = onUnrecorded;
  }

  get steps(): UndoSteps {
    return this.#store.read() ?? NO_STEPS;
  }

  /** Durably adds changes to this command's step. A later plan for the same task replaces the earlier one. */
  plan(changes: Step): void {
    const added = changes.filter((change) => isEffective(change) && !isSame(this.#planned.get(change.id), change));
    if (added.length === 0) return;
    const { undo, redo } = this.#withoutPlan();
    if (this.#planned.size === 0) this.#redoBefore = redo;
    for (const change of added) this.#planned.set(change.id, change);
    // If this write fails, `record` tries again and reports the failure.
    this.#store.write({ undo: [...undo, [...this.#planned.values()]].slice(-STEPS_MAX), redo: [] });
    failpoint('utask.undo.planned');
  }

  /** Like `plan`. Changes planned in the same turn of the event loop share one write. */
  async planTogether(change: Change): Promise<void> {
    this.#arriving.push(change);
    await (this.#arrived ??= this.#planArriving());
  }

  async #planArriving(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    const changes = this.#arriving;
    this.#arriving = [];
    this.#arrived = undefined;
    this.plan(changes);
  }

  /** Ends the step of this command with the changes that it made. A command that changed nothing adds no step. */
  record(changes: Step): void {
    const step = changes.filter(isEffective);
    const isAsPlanned =
      step.length === this.#planned.size && step.every((change) => isSame(this.#planned.get(change.id), change));
    const { undo, redo } = this.#withoutPlan();
    const isStored = undo.length < this.steps.undo.length;
    if (step.length > 0 && !(isAsPlanned && isStored)) this.#write({ undo: [...undo, step], redo: [] });
    if (step.length === 0 && isStored) this.#write({ undo, redo: redo.length === 0 ? this.#redoBefore : redo });
    this.#planned.clear();
  }

  /** Returns the stored steps without this command's plan. Other commands may have added steps after that plan. */
  #withoutPlan(): UndoSteps {
    const { undo, redo } = this.steps;
    if (this.#planned.size === 0) return { undo, redo };
    const plan = JSON.stringify([...this.#planned.values()]);
    const at = undo.findLastIndex((step) => JSON.stringify(step) === plan);
    return { undo: at < 0 ? undo : undo.toSpliced(at, 1), redo };
  }

  /** Moves the newest step from `undo` to `redo`, after it was undone. */
  undone(): void {
    const { undo, redo } = this.steps;
    this.#write({ undo: undo.slice(0, -1), redo: [...redo, ...undo.slice(-1)] });
  }

  redone(): void {
    const { undo, redo } = this.steps;
    this.#write({ undo: [...undo, ...redo.slice(-1)], redo: redo.slice(0, -1) });
  }

  #write({ undo, redo }: UndoSteps): void {
    if (!this.#store.write({ undo: undo.slice(-STEPS_MAX), redo })) this.#onUnrecorded?.();
  }
}

function isEffective({ before, after }: Change): boolean {
  return before !== after;
}

function isSame(left: Change | undefined, right: Change): boolean {
  return left?.before === right.before && left.after === right.after;
}

/** A task list, and this machine's record of its own changes to the list. */
export interface UtaskHost {
  readonly utask: Utask;
  readonly undoLog: UndoLog;
  /** Tasks whose addition was interrupted by a lost server, with unknown outcome. */
  readonly unconfirmed: Remembered<readonly Task[]>;
}

export interface HostMemory extends Pick<UtaskHost, 'unconfirmed'> {
  readonly undo: Remembered<UndoSteps>;
}

/** Without `memory`, as on a server, undo is not available. */
export function hostOf(utask: Utask, memory?: HostMemory, onUnrecorded?: () => void): UtaskHost {
  return {
    utask,
    undoLog: new UndoLog(memory?.undo, onUnrecorded),
    unconfirmed: memory?.unconfirmed ?? nothing,
  };
}

interface State {
  readonly revision: number;
  readonly at: string;
  /** Null where the task was deleted or did not exist yet. */
  readonly task: Task | null;
}

/** Returns the kept states of a task, oldest first. Rewriting a task unchanged adds no state. */
async function taskHistory(utask: Utask, id: string): Promise<readonly State[]> {
  const entries = await utask.buckets.tasks.history(id);
  return entries
    .filter(({ value }, index) => index === 0 || value !== entries[index - 1]?.value)
    .map(({ revision, at, value }) => ({
      revision,
      at: toTimestamp(at),
      task: value === undefined ? null : decodeTask(id, value),
    }));
}

/** Returns the states of a task as `ut log` shows them; also works for a deleted task. */
export async function showHistory({ utask }: UtaskHost, request: { readonly id: string }): Promise<readonly State[]> {
  const id = await utask.require(request.id, { withDeleted: true });
  return (await taskHistory(utask, id)).filter(({ task }, index) => index > 0 || task !== null);
}

/** Returns the state before the last change, or at a revision; null if the task did not exist then. */
async function earlierState(utask: Utask, id: string, to: number | undefined): Promise<Task | null> {
  const states = await taskHistory(utask, id);
  if (states.length === 0) throw utaskErrors.NO_HISTORY(`Task ${shortId(id)} has no stored states.`);
  if (to === undefined) {
    const isWhole = (await utask.buckets.tasks.history(id)).length < TASK_HISTORY;
    if (states.length === 1 && !isWhole) {
      throw utaskErrors.NO_HISTORY(`Earlier states of task ${shortId(id)} are no longer kept.`);
    }
    return states.at(-2)?.task ?? null;
  }
  const target = states.find(({ revision }) => revision === to);
  if (target === undefined) throw utaskErrors.NO_HISTORY(`Task ${shortId(id)} has no revision ${to}.`);
  return target.task;
}

/** Restores the last state of a deleted task. Does not change a task that exists. */
export async function restoreTask({ utask }: UtaskHost, request: { readonly id: string }): Promise<Task> {
  const id = await utask.require(request.id, { withDeleted: true });
  const states = await taskHistory(utask, id);
  const last = states.findLast(({ task }) => task !== null)?.task ?? undefined;
  if (last === undefined) throw utaskErrors.NO_HISTORY(`Task ${shortId(id)} has no stored states.`);
  if (states.at(-1)?.task === null) await utask.restore(id, last);
  return last;
}

export interface UndoRequest {
  /** Undo the last change to this task, whoever made it. */
  readonly id?: string | undefined;
  /** Go back to this revision of the task. */
  readonly to?: number | undefined;
  readonly dry_run: boolean;
}

export interface Undone {
  readonly id: string;
  /** The resulting task; null if it no longer exists. */
  readonly task: Task | null;
}

/** Without an id, undoes this machine's last step; with an id, restores an earlier state of that task. */
export async function undoChange(host: UtaskHost, { id, to, dry_run }: UndoRequest): Promise<readonly Undone[]> {
  if (id !== undefined) return undoTask(host, id, { to, dry_run });
  if (to !== undefined) throw operationErrors.INPUT_INVALID('A revision belongs to one task; give the task id too.');
  const step = host.undoLog.steps.undo.at(-1);
  if (step === undefined) throw utaskErrors.NO_HISTORY('There is nothing to undo on this machine.');
  const undone = await apply(host, step.map(reversed), dry_run);
  if (!dry_run) host.undoLog.undone();
  return undone;
}

export async function redoChange(
  host: UtaskHost,
  { dry_run }: { readonly dry_run: boolean },
): Promise<readonly Undone[]> {
  const step = host.undoLog.steps.redo.at(-1);
  if (step === undefined) throw utaskErrors.NO_HISTORY('There is nothing to redo on this machine.');
  const redone = await apply(host, step, dry_run);
  if (!dry_run) host.undoLog.redone();
  return redone;
}

function reversed({ id, before, after }: Change): Change {
  return { id, before: after, after: before };
}

/**
 * Checks every task before it changes the first one, so that it overwrites no later change by another client. Skips
 * tasks that already have the wanted state: either an interrupted command never changed them, or an interrupted undo
 * has already restored them. Returns the tasks that it did not skip.
 */
async function apply({ utask }: UtaskHost, step: Step, dryRun: boolean): Promise<readonly Undone[]> {
  const current = async ({ id }: Change) => (await utask.buckets.tasks.get(id))?.value ?? null;
  const remaining: Change[] = [];
  for (const change of step) {
    const value = await current(change);
    if (value === change.after) continue;
    assertUnchanged(change, value);
    remaining.push(change);
  }
  const decoded = ({ id, after }: Change) => (after === null ? undefined : readTask(id, after));
  for (const change of dryRun ? [] : remaining) {
    await utask.restore(change.id, decoded(change), (value) => assertUnchanged(change, value));
  }
  return remaining.map((change) => ({ id: change.id, task: decoded(change) ?? null }));
}

function assertUnchanged({ id, before }: Change, value: string | null | undefined): void {
  if ((value ?? null) === before) return;
  const short = shortId(id);
  throw utaskErrors.NO_HISTORY(`Another client has changed task ${short} since then.`, {
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
    const change = { id, before, after: task === null ? null : encodeTask(task) };
    undoLog.plan([change]);
    await utask.restore(id, task ?? undefined);
    undoLog.record([change]);
  }
  return [{ id, task }];
}
