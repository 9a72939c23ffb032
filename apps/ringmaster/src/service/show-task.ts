import type { Task } from '../model/task.ts';
import { type Attempt, attemptsOf } from '../store/attempts.ts';
import { originalLine } from '../store/beads.ts';
import { blockersOf, dependenciesOf, dependentsOf } from '../store/dependencies.ts';
import { type Inquiry, listInquiries } from '../store/inquiries.ts';
import { existingTask, listTasks } from '../store/tasks.ts';
import { blockerText } from './why.ts';
import type { Ringmaster } from './ringmaster.ts';

type Linked = ReturnType<typeof dependenciesOf>;

export interface ShownTask {
  readonly task: Task;
  readonly dependencies: Linked;
  readonly dependents: Linked;
  readonly children: readonly Pick<Task, 'id' | 'title' | 'status'>[];
  readonly progress: { readonly done: number; readonly total: number };
  readonly attempts: readonly Attempt[];
  readonly inquiries: readonly Inquiry[];
  readonly held_because: readonly string[];
  /** Comments of the Beads issue that this task came from. */
  readonly comments: readonly unknown[];
}

const CHILDREN_MAX = 10_000;

export function showTask({ store }: Ringmaster, id: string): ShownTask {
  const tx = store.reader;
  const task = existingTask(tx, id);
  const children = listTasks(tx, { parent: id, all: true, limit: CHILDREN_MAX });
  const line = originalLine(tx, id);
  const { comments = [] } = (line === undefined ? {} : JSON.parse(line)) as { readonly comments?: readonly unknown[] };
  return {
    task,
    dependencies: dependenciesOf(tx, id),
    dependents: dependentsOf(tx, id),
    children: children.map(({ id: child, title, status }) => ({ id: child, title, status })),
    progress: { done: children.filter(({ status }) => status === 'done').length, total: children.length },
    attempts: attemptsOf(tx, id),
    inquiries: listInquiries(tx, {}).filter(({ about_id, task_id }) => about_id === id || task_id === id),
    held_because: blockersOf(tx, id).map((blocker) => blockerText(id, blocker)),
    comments,
  };
}
