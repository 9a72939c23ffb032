import { z } from 'zod';
import type { Task } from '../model/task.ts';
import type { Store } from '../store/store.ts';

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType;
  /** The arguments have passed `input`. */
  readonly call: (store: Store, given: never) => Promise<unknown>;
}

function tool<Input extends z.ZodType>(
  name: string,
  description: string,
  input: Input,
  call: (store: Store, given: z.infer<Input>) => Promise<unknown>,
): Tool {
  return { name, description, input, call };
}

const tags = z.array(z.string());
const id = z.string().describe('id of the task, or its first 8 characters');

/** Few and small: their descriptions are read by a model with every conversation. */
export const tools: readonly Tool[] = [
  tool(
    'add_task',
    'Add a task to the shared list.',
    z.object({ text: z.string(), tags: tags.optional() }),
    async (store, { text, tags: given = [] }) => brief(await store.add(text, given)),
  ),
  tool(
    'list_tasks',
    'List tasks, oldest first. "any": at least one of these tags; "all": every one of them.',
    z.object({
      any: tags.optional(),
      all: tags.optional(),
      done: z.boolean().optional(),
      limit: z.number().int().min(1).max(500).default(50),
    }),
    async (store, { any = [], all = [], done, limit }) => {
      const found = await store.query({ any, all });
      const matching = done === undefined ? found : found.filter((task) => task.done === done);
      return { total: matching.length, tasks: matching.slice(0, limit).map(brief) };
    },
  ),
  tool(
    'update_task',
    'Change text, state or tags of a task. What is left out stays as it is; "tags" replaces all tags.',
    z.object({ id, text: z.string().optional(), done: z.boolean().optional(), tags: tags.optional() }),
    async (store, { id: prefix, ...set }) => brief(await store.update(prefix, set)),
  ),
  tool('delete_task', 'Delete a task.', z.object({ id }), async (store, { id: prefix }) => {
    return brief(await store.delete(prefix));
  }),
];

/** Without what the program that imported it kept. */
function brief({ id: full, text, done, tags: has, created }: Task): Readonly<Record<string, unknown>> {
  return { id: full.slice(0, 12), text, done, tags: has, created };
}
