import { readPage } from '@holdfast/base';

import { stepsFrom } from '../model/task.ts';
import type { TaskPage, TaskQuery } from '../operations/tasks.ts';
import { type BoardTask, boardTasks } from '../store/board.ts';
import { chosenProject } from '../store/projects.ts';
import type { Ringmaster } from './ringmaster.ts';

/** The cursor is a position in the order, so that tasks added or finished meanwhile shift nothing. */
export async function listTasks({ store }: Ringmaster, { limit, cursor, ...query }: TaskQuery): Promise<TaskPage> {
  // A misspelt project must not look like an empty one.
  if (query.project !== undefined) chosenProject(store.reader, query.project);
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
