import { parseStoredList, parseStoredObject, readPage } from '@holdfast/base';

import { ringmasterErrors } from '../model/errors.ts';
import { checkId } from '../model/ids.ts';
import { mayStep, stepsFrom, type Task, type TaskStatus, type TaskType } from '../model/task.ts';
import { checkTitle, oneLine, textList } from '../model/texts.ts';
import { normalTime } from '../model/time.ts';
import type { NewTask, ShownTask, StatusChange, TaskChanges, TaskPage, TaskQuery } from '../operations/tasks.ts';
import { type DependencyWork, runOf } from '../store/attempt-runs.ts';
import { attemptsOf, liveAttemptOfTask, requestCancel } from '../store/attempts.ts';
import { originalLine } from '../store/beads.ts';
import {
  blockersOf,
  dependenciesOf,
  dependentsOf,
  insertDependency,
  refuseCycle,
  refuseDependencyOnParent,
} from '../store/dependencies.ts';
import { type Call, recordEvent } from '../store/events.ts';
import { listInquiries } from '../store/inquiries.ts';
import { iterationsOf } from '../store/iterations.ts';
import type { Tx } from '../store/open.ts';
import { chosenProject } from '../store/projects.ts';
import {
  activeTask,
  type BoardTask,
  boardTasks,
  childrenOf,
  existingTask,
  findTask,
  insertTask,
  newChildId,
  newRootId,
  updateTask,
} from '../store/tasks.ts';
import { usageOfTask } from '../store/usage.ts';
import { closeEpics, reopenEpics } from './epics.ts';
import { shownInquiry } from './inquiries.ts';
import { finishAttempt } from './queue.ts';
import { LISTED_RANKS, refreshRanks } from './rank.ts';
import { blockerText } from './ready.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';
import { knownWorker } from './workers.ts';

export function addTask(rm: Ringmaster, input: NewTask): Promise<Task> {
  const call = callOf(rm);
  const title = checkTitle(input.title);
  return rm.store.write(`task add ${title.slice(0, 60)}`, (tx) => insertNewTask(tx, rm, call, { ...input, title }));
}

interface ImportedTask extends NewTask {
  readonly external_ref?: string;
  readonly is_done?: boolean;
}

/** Inserts a task within the caller's transaction. */
export function insertNewTask(tx: Tx, rm: Ringmaster, call: Call, input: ImportedTask): Task {
  const parent = input.parent === undefined ? undefined : activeTask(tx, input.parent);
  const project = chosenProject(tx, input.project ?? parent?.project_id);
  if (parent !== undefined && parent.project_id !== project.id) {
    throw ringmasterErrors.TASK_STATE(`${parent.id} belongs to the project ${parent.project_id}`);
  }
  const id = newId(tx, rm, input, parent);
  const priority = input.priority ?? 'P2';
  const score = rm.config.prioritization.manual_weight * rm.config.manualScores[priority];
  insertTask(tx, {
    id,
    project_id: project.id,
    parent_id: parent?.id ?? null,
    type: input.type ?? typeBelow(parent),
    title: input.title,
    description: input.description ?? null,
    priority,
    status: input.is_done === true ? 'done' : input.draft === true ? 'draft' : 'ready',
    completed_at: input.is_done === true ? call.now : null,
    external_ref: input.external_ref ?? null,
    max_attempts: input.max_attempts ?? rm.config.queue.max_attempts,
    required_capabilities: listOrNull(input.capabilities),
    labels: labelsOf(input.labels),
    required_worker: knownWorker(tx, input.worker) ?? null,
    model: input.model ?? null,
    worker_args: listOrNull(input.worker_args),
    estimated_minutes: input.estimate_minutes ?? null,
    // The manual priority is the score until the graph is ranked again.
    combined_priority: score,
    own_priority: score,
    created_at: call.now,
    updated_at: call.now,
  });
  for (const on of input.depends_on ?? []) {
    activeTask(tx, on);
    insertDependency(tx, { child_id: id, parent_id: on, type: 'blocks' }, call.actor.id, call.now);
  }
  const task = existingTask(tx, id);
  const data = { depends_on: input.depends_on ?? [] };
  recordEvent(tx, call, { type: 'task_created', entity: 'task', id, data, after: task });
  reopenEpics(tx, call, task);
  return task;
}

function newId(tx: Tx, rm: Ringmaster, input: NewTask, parent: Task | undefined): string {
  if (input.id !== undefined) {
    if (findTask(tx, checkId(input.id)) !== undefined)
      throw ringmasterErrors.ID_TAKEN(`A task ${input.id} already exists`);
    return input.id;
  }
  if (parent !== undefined) return newChildId(tx, parent.id, 'child');
  return newRootId(tx, rm.config.tasks.id_prefix, rm.random);
}

function typeBelow(parent: Task | undefined): TaskType {
  return parent?.type === 'task' || parent?.type === 'subtask' ? 'subtask' : 'task';
}

function listOrNull(items: readonly string[] | undefined): string | null {
  return items === undefined || items.length === 0 ? null : JSON.stringify(items);
}

/** One empty label removes all labels, because the command line has no way to give an empty list. */
function labelsOf(labels: readonly string[] | undefined): string | null {
  return listOrNull([...new Set((labels ?? []).map((label) => oneLine(label).trim()))].filter((label) => label !== ''));
}

const eventOfStatus: Partial<Record<TaskStatus, string>> = {
  done: 'task_completed',
  failed: 'task_failed',
  blocked: 'task_blocked',
};

export function editTask(rm: Ringmaster, edit: TaskChanges): Promise<Task> {
  const call = callOf(rm);
  return rm.store.write(noteOf([edit]), (tx) => editOne(tx, call, edit));
}

/** Changes all tasks, or none if any change is refused. */
export function setTaskStatus(rm: Ringmaster, { tasks, status, reason }: StatusChange): Promise<readonly Task[]> {
  const call = callOf(rm);
  const edits = tasks.map((task) => ({ task, status, reason }));
  return rm.store.write(noteOf(edits), (tx) => edits.map((edit) => editOne(tx, call, edit)));
}

/** Returns the description of the change, which `undo` shows. */
function noteOf(edits: readonly TaskChanges[]): string {
  return `task ${edits[0]?.status ?? 'edit'} ${edits.map(({ task }) => task).join(' ')}`;
}

/** Changes a task within the caller's transaction. */
export function editOne(tx: Tx, call: Call, edit: TaskChanges): Task {
  const before = activeTask(tx, edit.task);
  if (edit.version !== undefined && edit.version !== before.version) {
    throw ringmasterErrors.TASK_STALE(`${edit.task} is at version ${before.version}, not ${edit.version}`);
  }
  const changes = changesOf(tx, before, edit, call.now);
  const names = Object.keys(changes) as (keyof Task)[];
  if (names.length === 0) return before;
  updateTask(tx, edit.task, changes);
  const after = existingTask(tx, edit.task);
  const pick = (task: Task): unknown => Object.fromEntries(names.map((name) => [name, task[name]]));
  const type = (edit.status === undefined ? undefined : eventOfStatus[edit.status]) ?? 'task_updated';
  const data = edit.reason === undefined ? undefined : { reason: edit.reason };
  recordEvent(tx, call, { type, entity: 'task', id: edit.task, data, before: pick(before), after: pick(after) });
  if (edit.status !== undefined || edit.parent !== undefined) {
    closeEpics(tx, call, after);
    reopenEpics(tx, call, after);
  }
  return after;
}

function changesOf(tx: Tx, before: Task, edit: TaskChanges, now: string): Partial<Task> {
  const wanted: Partial<Record<keyof Task, string | number | null | undefined>> = {
    title: edit.title === undefined ? undefined : checkTitle(edit.title),
    description: edit.description,
    priority: edit.priority,
    parent_id: parentChange(tx, before, edit.parent),
    defer_until: timeChange(edit.defer_until),
    estimated_minutes: edit.estimate_minutes,
    max_attempts: edit.max_attempts,
    required_capabilities: edit.capabilities === undefined ? undefined : JSON.stringify(edit.capabilities),
    labels: edit.labels === undefined ? undefined : labelsOf(edit.labels),
    required_worker: knownWorker(tx, edit.worker),
    model: edit.model,
    worker_args: edit.worker_args === undefined ? undefined : listOrNull(edit.worker_args),
    ...statusChanges(tx, before, edit, now),
  };
  const changed = Object.entries(wanted).filter(
    ([name, value]) => value !== undefined && value !== before[name as keyof Task],
  );
  return Object.fromEntries(changed);
}

function timeChange(time: string | null | undefined): string | null | undefined {
  return time === undefined || time === null ? time : normalTime(time);
}

function parentChange(tx: Tx, before: Task, parent: string | null | undefined): string | null | undefined {
  if (parent === undefined || parent === null) return parent;
  const found = activeTask(tx, parent);
  if (found.project_id !== before.project_id) {
    throw ringmasterErrors.TASK_STATE(`${parent} belongs to another project, ${found.project_id}`);
  }
  refuseCycle(tx, before.id, parent);
  refuseDependencyOnParent(tx, before.id, parent);
  return parent;
}

function statusChanges(tx: Tx, before: Task, { task: id, status, reason }: TaskChanges, now: string): Partial<Task> {
  if (status === undefined || status === before.status) return {};
  if (liveAttemptOfTask(tx, id) !== undefined) throw ringmasterErrors.TASK_RUNNING(`A worker holds ${id}`);
  if (!mayStep(before.status, status)) {
    throw ringmasterErrors.TASK_STATE(`${id} is ${before.status} and cannot be set to ${status} by hand`);
  }
  return {
    status,
    completed_at: status === 'done' ? now : null,
    blocked_reason: status === 'blocked' ? (reason ?? null) : null,
    // Setting the status ends ownership by a person or program outside ringmaster.
    external_owner: null,
    next_eligible_at: null,
    ...(before.status === 'failed' && status === 'ready' ? { failures: 0 } : {}),
    ...(status === 'failed' ? { last_failure: reason ?? null } : {}),
  };
}

/**
 * Asks the worker to stop at its next heartbeat. With `now`, takes the task away immediately, which invalidates the
 * worker's token.
 */
export function cancelTask(
  rm: Ringmaster,
  { task: id, now = false }: { readonly task: string; readonly now?: boolean | undefined },
): Promise<Task> {
  const call = callOf(rm);
  return rm.store.write(`task cancel ${id}`, (tx) => {
    const task = existingTask(tx, id);
    const attempt = liveAttemptOfTask(tx, id);
    if (attempt === undefined) throw ringmasterErrors.TASK_STATE(`${id} is ${task.status}: no worker holds it`);
    if (now) {
      const ending = { outcome: 'released', failureClass: 'cancelled', reason: 'cancelled', outputPath: null } as const;
      return finishAttempt(tx, rm, call, attempt, ending);
    }
    requestCancel(tx, attempt.id, call.now);
    recordEvent(tx, call, { type: 'cancel_requested', entity: 'task', id, data: { token: attempt.id } });
    return task;
  });
}

/**
 * The cursor is a position in the sort order, so tasks that are added or finished between two pages do not shift the
 * second page.
 */
export async function listTasks(rm: Ringmaster, { limit, cursor, ...query }: TaskQuery): Promise<TaskPage> {
  const { store } = rm;
  // Reports a misspelt project, which would otherwise look like an empty one.
  if (query.project !== undefined) chosenProject(store.reader, query.project);
  if (cursor === undefined) await refreshRanks(rm, LISTED_RANKS);
  const { data, next_cursor } = await readPage(
    limit,
    (count) => boardTasks(store.reader, { ...query, after: afterOf(cursor), limit: count }),
    cursorOf,
  );
  return { data: data.map((task) => ({ ...task, may_become: stepsFrom(task) })), next_cursor };
}

function cursorOf(task: BoardTask): string {
  return `${task.combined_priority}~${task.id}`;
}

function afterOf(cursor: string | undefined): { readonly score: number; readonly id: string } | undefined {
  if (cursor === undefined) return undefined;
  const [score = '', ...id] = cursor.split('~');
  return { score: Number(score), id: id.join('~') };
}

export function showTask({ store }: Ringmaster, { task: id }: { readonly task: string }): ShownTask {
  const tx = store.reader;
  const task = existingTask(tx, id);
  const children = childrenOf(tx, id);
  const line = originalLine(tx, id);
  const issue = (line === undefined ? {} : parseStoredObject(line)) as Readonly<
    Record<(typeof beadsFields)[number], unknown>
  >;
  return {
    task: {
      ...task,
      capabilities: textList(task.required_capabilities),
      labels: textList(task.labels),
      worker_args: textList(task.worker_args),
      estimate_minutes: task.estimated_minutes,
      on_critical_path: task.on_critical_path === 1,
    },
    dependencies: dependenciesOf(tx, id).map(({ parent_id, ...link }) => ({ ...link, id: parent_id })),
    dependents: dependentsOf(tx, id).map(({ child_id, ...link }) => ({ ...link, id: child_id })),
    children,
    progress: { done: children.filter(({ status }) => status === 'done').length, total: children.length },
    attempts: attemptsOf(tx, id).map((attempt) => ({ ...attempt, included: includedTasks(tx, attempt.id) })),
    iterations: iterationsOf(tx, id),
    usage: usageOfTask(tx, id),
    inquiries: listInquiries(tx, {})
      .filter(({ about_id, task_id }) => about_id === id || task_id === id)
      .map(shownInquiry),
    held_because: blockersOf(tx, id).map((blocker) => blockerText(id, blocker)),
    comments: Array.isArray(issue.comments) ? issue.comments : [],
    beads_fields: beadsFields.flatMap((name) => {
      const text = issue[name];
      return typeof text === 'string' && text !== '' ? [{ name, text }] : [];
    }),
  };
}

const beadsFields = [
  'comments',
  'acceptance_criteria',
  'design',
  'notes',
  'spec_id',
  'owner',
  'created_by',
  'due_at',
  'close_reason',
] as const;

function includedTasks(tx: Tx, attempt: number): string[] {
  const works = parseStoredList(runOf(tx, attempt)?.dependencies ?? '[]') as readonly DependencyWork[];
  return works.map(({ task }) => task);
}
