import { VERSION } from '@holdfast/base';
import { type ServerInfo, type Tool, type ToolCaller, toolsFor } from '@holdfast/cli/mcp';
import { detailsOf, type TaskDetails } from '../model/details.ts';
import { shortId, type Task } from '../model/task.ts';
import { addTask, deleteTasks, listTasks, restoreTask, showTask, updateTask } from '../operations/tasks.ts';
import type { UtaskHost } from '../service/undo.ts';

const LISTED = 50;

export const server: ServerInfo = {
  name: 'utask',
  version: VERSION,
  instructions:
    'A small task list shared with people and other machines. List tasks before you add one; mark finished tasks as done.',
};

/** Returns the tools of `ut mcp`. Their descriptions are short, because every conversation includes them. */
export function tools(host: UtaskHost, caller: ToolCaller): readonly Tool[] {
  const tool = toolsFor({ app: host, caller, program: 'ut mcp' });
  return [
    tool(addTask, { name: 'add_task', description: 'Add a task to the shared list.', text: json }),
    tool(listTasks, {
      name: 'list_tasks',
      omit: ['cursor', 'order'],
      text: ({ data }) => JSON.stringify({ total: data.length, tasks: data.slice(0, LISTED).map(brief) }),
    }),
    tool(showTask, {
      name: 'show_task',
      description: 'Show a task with its revision.',
      text: (task) => JSON.stringify({ ...brief(task), revision: task.revision }),
    }),
    tool(updateTask, { name: 'update_task', text: json }),
    tool(deleteTasks, { name: 'delete_tasks' }),
    tool(restoreTask, { name: 'restore_task', text: json }),
  ];
}

type ShownTask = Pick<Task, 'id' | 'text' | 'done' | 'tags' | 'created'> & TaskDetails;

function json(task: ShownTask): string {
  return JSON.stringify(brief(task));
}

/** Shortens ids, because a whole id takes as many tokens as all other fields of a task. */
function brief(task: ShownTask): ShownTask {
  const { id, text, done, tags, created } = task;
  return { id: shortId(id), text, done, tags, created, ...detailsOf(task) };
}
