import { textList } from '../model/texts.ts';
import type { ShownTask } from '../operations/tasks.ts';
import { attemptsOf } from '../store/attempts.ts';
import { originalLine } from '../store/beads.ts';
import { blockersOf, dependenciesOf, dependentsOf } from '../store/dependencies.ts';
import { listInquiries } from '../store/inquiries.ts';
import { iterationsOf } from '../store/iterations.ts';
import { existingTask, listTasks } from '../store/tasks.ts';
import { shownInquiry } from './inquiries.ts';
import type { Ringmaster } from './ringmaster.ts';
import { blockerText } from './why.ts';

const CHILDREN_MAX = 10_000;

export function showTask({ store }: Ringmaster, { task: id }: { readonly task: string }): ShownTask {
  const tx = store.reader;
  const task = existingTask(tx, id);
  const children = listTasks(tx, { parent: id, all: true, limit: CHILDREN_MAX });
  const line = originalLine(tx, id);
  const { comments = [] } = (line === undefined ? {} : JSON.parse(line)) as { readonly comments?: readonly unknown[] };
  return {
    task: {
      ...task,
      capabilities: textList(task.required_capabilities),
      estimate_minutes: task.estimated_minutes,
      on_critical_path: task.on_critical_path === 1,
    },
    dependencies: dependenciesOf(tx, id).map(({ parent_id, ...link }) => ({ ...link, id: parent_id })),
    dependents: dependentsOf(tx, id).map(({ child_id, ...link }) => ({ ...link, id: child_id })),
    children: children.map(({ id: child, title, status }) => ({ id: child, title, status })),
    progress: { done: children.filter(({ status }) => status === 'done').length, total: children.length },
    attempts: attemptsOf(tx, id),
    iterations: iterationsOf(tx, id),
    inquiries: listInquiries(tx, {})
      .filter(({ about_id, task_id }) => about_id === id || task_id === id)
      .map(shownInquiry),
    held_because: blockersOf(tx, id).map((blocker) => blockerText(id, blocker)),
    comments,
  };
}
