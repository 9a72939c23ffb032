import { type Tool, toolsFor } from '@holdfast/cli/mcp';
import { shortId, type Task } from '../model/task.ts';
import { addTask, deleteTasks, listTasks, restoreTask, updateTask } from '../operations/tasks.ts';
import type { UtaskHost } from '../service/undo.ts';

const LISTED = 50;

/** The tools of `ut mcp`. Their descriptions are short, because every conversation includes them. */
export function tools(host: UtaskHost): readonly Tool[] {
  const tool = toolsFor({ app: host, name: 'agent', program: 'ut mcp' });
  return [
    tool(addTask, { name: 'add_task', description: 'Add a task to the shared list.', text: json }),
    tool(listTasks, {
      name: 'list_tasks',
      omit: ['cursor', 'order'],
      text: ({ data }) => JSON.stringify({ total: data.length, tasks: data.slice(0, LISTED).map(brief) }),
    }),
    tool(updateTask, { name: 'update_task', text: json }),
    tool(deleteTasks, { name: 'delete_tasks' }),
    tool(restoreTask, { name: 'restore_task', text: json }),
  ];
}

type ShownTask = Pick<Task, 'id' | 'text' | 'done' | 'tags' | 'created'>;

function json(task: ShownTask): string {
  return JSON.stringify(brief(task));
}

/** Shortens ids, because a whole id takes as many tokens as all other fields of a task. */
function brief({ id, text, done, tags, created }: ShownTask): ShownTask {
  return { id: shortId(id), text, done, tags, created };
}
