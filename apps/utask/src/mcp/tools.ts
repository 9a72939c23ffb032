import { defineTool, type Tool } from '@holdfast/cli/mcp';
import { z } from 'zod';
import type { Task } from '../model/task.ts';
import type { Utask } from '../service/utask.ts';

const tags = z.array(z.string());
const id = z.string().describe('id of the task, or its first 8 characters');

/** Few and small: their descriptions are read by a model with every conversation. */
export function tools(utask: Utask): readonly Tool[] {
  return [
    defineTool({
      name: 'add_task',
      description: 'Add a task to the shared list.',
      input: z.strictObject({ text: z.string(), tags: tags.optional() }),
      call: async ({ text, tags: given = [] }) => brief(await utask.add(text, given)),
    }),
    defineTool({
      name: 'list_tasks',
      description: 'List tasks, oldest first. "any": at least one of these tags; "all": every one of them.',
      input: z.strictObject({
        any: tags.optional(),
        all: tags.optional(),
        done: z.boolean().optional(),
        limit: z.number().int().min(1).max(500).default(50),
      }),
      call: async ({ any = [], all = [], done, limit }) => {
        const found = await utask.query({ any, all });
        const matching = done === undefined ? found : found.filter((task) => task.done === done);
        return { total: matching.length, tasks: matching.slice(0, limit).map(brief) };
      },
    }),
    defineTool({
      name: 'update_task',
      description: 'Change text, state or tags of a task. What is left out stays as it is; "tags" replaces all tags.',
      input: z.strictObject({ id, text: z.string().optional(), done: z.boolean().optional(), tags: tags.optional() }),
      call: async ({ id: prefix, ...set }) => brief(await utask.update(prefix, set)),
    }),
    defineTool({
      name: 'delete_task',
      description: 'Delete a task.',
      input: z.strictObject({ id }),
      call: async ({ id: prefix }) => brief(await utask.delete(prefix)),
    }),
  ];
}

/** Without what the program that imported it kept. */
function brief({ id: full, text, done, tags: has, created }: Task): Readonly<Record<string, unknown>> {
  return { id: full.slice(0, 12), text, done, tags: has, created };
}
