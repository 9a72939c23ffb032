import { ringmasterErrors } from '../model/errors.ts';
import { checkId } from '../model/ids.ts';
import type { Task, TaskType } from '../model/task.ts';
import { checkTitle } from '../model/texts.ts';
import type { NewTask } from '../operations/tasks.ts';
import { insertDependency } from '../store/dependencies.ts';
import { type Call, recordEvent } from '../store/events.ts';
import type { Tx } from '../store/open.ts';
import { chosenProject } from '../store/projects.ts';
import { existingTask, findTask, insertTask, newChildId, newRootId } from '../store/tasks.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

export function addTask(rm: Ringmaster, input: NewTask): Promise<Task> {
  const call = callOf(rm);
  const title = checkTitle(input.title);
  return rm.store.write(`task add ${title.slice(0, 60)}`, (tx) => insertOne(tx, rm, call, { ...input, title }));
}

function insertOne(tx: Tx, rm: Ringmaster, call: Call, input: NewTask): Task {
  const parent = input.parent === undefined ? undefined : existingTask(tx, input.parent);
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
    status: input.draft === true ? 'draft' : 'ready',
    max_attempts: input.max_attempts ?? rm.config.queue.max_attempts,
    required_capabilities: listOrNull(input.capabilities),
    estimated_minutes: input.estimate_minutes ?? null,
    // The manual priority counts until the graph is ranked again.
    combined_priority: score,
    own_priority: score,
    created_at: call.now,
    updated_at: call.now,
  });
  for (const on of input.depends_on ?? []) {
    existingTask(tx, on);
    insertDependency(tx, { child_id: id, parent_id: on, type: 'blocks' }, call.actor.id, call.now);
  }
  const task = existingTask(tx, id);
  const data = { depends_on: input.depends_on ?? [] };
  recordEvent(tx, call, { type: 'task_created', entity: 'task', id, data, after: task });
  return task;
}

function newId(tx: Tx, rm: Ringmaster, input: NewTask, parent: Task | undefined): string {
  if (input.id !== undefined) {
    if (findTask(tx, checkId(input.id)) !== undefined) throw ringmasterErrors.ID_TAKEN(`There is a task ${input.id}`);
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
