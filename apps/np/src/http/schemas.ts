import { pageOf } from '@holdfast/http';
import { z } from 'zod';
import { type Event, eventShape } from '../model/event.ts';
import { type Goal, goalShape, type Session, sessionShape, type Task, taskShape } from '../model/session.ts';
import type { Field, Shape } from '../model/shape.ts';

/** What the interface gives, described from the same shapes that the store validates with. */

const sessionSchema = zodOf<Session>(sessionShape);
const goalSchema = zodOf<Goal>(goalShape);
const taskSchema = zodOf<Task>(taskShape);
const eventSchema = zodOf<Event>(eventShape);

const count = z.int().min(0);
const countsSchema = z.object({
  pending: count,
  in_progress: count,
  completed: count,
  failed: count,
  cancelled: count,
});

const summarySchema = z.object({
  session: sessionSchema,
  goal: goalSchema.nullable(),
  counts: countsSchema,
});
export const summaryPage = pageOf(summarySchema);

export const planSchema = z.object({
  session: sessionSchema,
  goal: goalSchema.nullable(),
  tasks: z.array(taskSchema).meta({ description: 'In their order' }),
  counts: countsSchema,
});

export const eventPage = pageOf(eventSchema);

/** One commit, with the events that it added. After a reset everything has to be read again. */
export const changeSchema = z.object({
  revision: z.int(),
  reset: z.boolean(),
  events: z.array(z.object({ sid: z.string(), event: eventSchema })),
});

function zodOf<Value>(shape: Shape): z.ZodType<Value, Value> {
  const fields = Object.entries(shape.fields).map(([name, field]) => [name, fieldSchema(field)] as const);
  return z.object(Object.fromEntries(fields)) as unknown as z.ZodType<Value, Value>;
}

function fieldSchema(field: Field): z.ZodType {
  switch (field.kind) {
    case 'text':
      return z.string();
    case 'time':
      return z.string().meta({ format: 'date-time' });
    case 'count':
      return z.int().min(0);
    case 'object':
      return z.record(z.string(), z.unknown());
    case 'choice':
      return z.enum(field.choices as [string, ...string[]]);
    case 'nullable':
      return fieldSchema(field.of).nullable();
    case 'optional':
      return fieldSchema(field.of).optional();
    case 'shape':
    default:
      return zodOf(field.shape);
  }
}
