import { pageOf } from '@holdfast/http';
import { z } from 'zod';

/** A task as clients see it: the seed's five fields. What an import kept besides stays where it is. */
export const taskSchema = z.object({
  id: z.string().meta({ description: '128 hexadecimal digits' }),
  text: z.string(),
  done: z.boolean(),
  tags: z.array(z.string()),
  created: z.string().meta({ format: 'date-time' }),
});
export const taskPage = pageOf(taskSchema);

const text = z.string().max(64_000);
const tags = z.array(z.string().max(200)).max(100);
export const newTask = z.object({ text, tags: tags.default([]) });
export const taskChange = z.object({ text: text.optional(), done: z.boolean().optional(), tags: tags.optional() });

export const tagSchema = z.object({ tag: z.string(), open: z.int(), done: z.int() });
export const statusSchema = z.object({
  backend: z.enum(['embedded', 'nats']),
  where: z.string(),
  durability: z.string(),
  lacks: z.array(z.string()),
});
export const changeSchema = z.object({ id: z.string(), task: taskSchema.nullable() }).nullable();
