import { z } from 'zod';
import { idPattern, type Task } from './task.ts';

/** Validates tasks from outside. */
export const taskSchema = z.looseObject({
  id: z.string().regex(idPattern),
  text: z.string(),
  done: z.boolean(),
  tags: z.array(z.string()),
  created: z.string(),
  source: z.looseObject({ format: z.string() }).optional(),
}) satisfies z.ZodType<Task>;
