import type { Tool } from '@holdfast/cli/mcp';
import { STATUSES } from '../model/status.ts';
import { addTasks } from '../service/add-tasks.ts';
import type { Np, Where } from '../service/np.ts';
import { readLog } from '../service/read-log.ts';
import { pinSession } from '../service/resolve.ts';
import { listTasks, planAfterChange, showPlan } from '../service/show-plan.ts';
import { updateTasks } from '../service/update-tasks.ts';
import { objects, optionalChoice, optionalCount, optionalText, requiredText } from './input.ts';
import { integer, list, schema, status, text } from './schema.ts';
import { changedText, eventsText, planText, tasksText } from './view.ts';

const LOG_LIMIT = 20;
const LOG_LIMIT_MAX = 500;

/** The work itself, and its story. */
export function taskTools(np: Np, where: Where): readonly Tool[] {
  const plan = async (of: Where): Promise<string> => planText(await showPlan(np, of));
  return [
    {
      name: 'show_plan',
      description: 'Goal and tasks, or only the tasks with one status.',
      inputSchema: schema({ status }),
      call: async (input) => {
        const wanted = optionalChoice(input, 'status', STATUSES);
        return wanted === undefined ? plan(where) : tasksText((await listTasks(np, where, wanted)).tasks);
      },
    },
    {
      name: 'add_tasks',
      description: 'Add tasks in the order of work. Adding one again is harmless.',
      inputSchema: schema({ tasks: list({ title: text, description: text }, ['title']) }, ['tasks']),
      call: async (input) => {
        const tasks = objects(input, 'tasks').map(newTask);
        const pinned = await pinSession(np, where);
        await addTasks(np, { where: pinned, cmd: 'np mcp add_tasks', tasks });
        return changedText(await planAfterChange(np, pinned));
      },
    },
    {
      name: 'update_tasks',
      description: 'Change status or words of tasks, all or none. failed, cancelled and new words need a reason.',
      inputSchema: schema(
        {
          updates: list({ id: text, status, title: text, description: text, reason: text, if_version: integer }, [
            'id',
          ]),
        },
        ['updates'],
      ),
      call: async (input) => {
        const updates = objects(input, 'updates').map(newUpdate);
        const pinned = await pinSession(np, where);
        await updateTasks(np, { where: pinned, cmd: 'np mcp update_tasks', updates });
        return changedText(await planAfterChange(np, pinned));
      },
    },
    {
      name: 'read_log',
      description: 'What happened and why: the newest events, or those after a number.',
      inputSchema: schema({ after: integer, limit: integer }),
      call: async (input) => {
        const limit = Math.min(optionalCount(input, 'limit') ?? LOG_LIMIT, LOG_LIMIT_MAX);
        const { events } = await readLog(np, where, { after: optionalCount(input, 'after'), limit });
        return eventsText(events);
      },
    },
  ];
}

type Json = Readonly<Record<string, unknown>>;

function newTask(task: Json) {
  return { title: requiredText(task, 'title'), description: optionalText(task, 'description') ?? '' };
}

function newUpdate(update: Json) {
  return {
    id: requiredText(update, 'id'),
    status: optionalChoice(update, 'status', STATUSES),
    title: optionalText(update, 'title'),
    description: optionalText(update, 'description'),
    reason: optionalText(update, 'reason'),
    ifVersion: optionalCount(update, 'if_version'),
  };
}
