import { z } from 'zod';
import { utaskErrors } from '../errors.ts';
import { normalizedTags } from '../tag.ts';
import { taskSchema } from '../task-schema.ts';
import { checkedText, encodeTask } from '../task.ts';
import type { Format } from './format.ts';

const Document = z.union([
  z.array(taskSchema),
  z.object({ schema_version: z.literal(1), data: z.array(taskSchema) }).transform(({ data }) => data),
]);

/** Our own format: a list of tasks as stored, one per line. Also reads the output of `ut export --json`. */
export const jsonFormat: Format = {
  name: 'json',
  read(text) {
    const parsed = Document.safeParse(parseJson(text));
    if (!parsed.success) {
      throw utaskErrors.BAD_IMPORT(`This is no list of tasks: ${z.prettifyError(parsed.error)}`);
    }
    return parsed.data.map((task) => ({ ...task, text: checkedText(task.text), tags: normalizedTags(task.tags) }));
  },
  write: (tasks) => ({ text: `[\n${tasks.map(encodeTask).join(',\n')}\n]\n`, losses: [] }),
};

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw utaskErrors.BAD_IMPORT('This is not JSON.', { cause: error });
  }
}
