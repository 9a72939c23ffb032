import { boolean, flag, list, nullable, object, operationsOf, optional, text } from '@holdfast/operation';
import { eventObject } from '../model/event.ts';
import { countFields, goalFields, sessionFields, taskFields } from '../model/session.ts';
import type { SessionTarget } from '../service/np.ts';

/** Fields that several operations share. */

export const defineOperation = operationsOf<SessionTarget>();

export const sessionObject = object(sessionFields);
export const goalObject = object(goalFields);
export const taskObject = object(taskFields);
export const countsObject = object(countFields);

export const planFields = {
  session: sessionObject,
  goal: nullable(goalObject),
  tasks: list(taskObject, { summary: 'In their order' }),
  counts: countsObject,
} as const;

export const planObject = object({
  ...planFields,
  recent_events: optional(list(eventObject, { summary: 'The last changes, oldest first' })),
});

export const reason = optional(text('Why'));
export const plan = flag('Return the whole plan too');

const { id, title, status, actor } = taskFields;
const briefTask = object({ id, title, status });

/** The answer to every change: what changed, the counts and what comes next. */
export const changeObject = object({
  sid: sessionFields.sid,
  goal: optional(goalObject),
  tasks: list(object({ id, title, status, actor, changed: boolean('False if the task was like that already') })),
  counts: optional(countsObject),
  next: list(briefTask, { summary: 'Tasks in progress, then pending ones; at most three' }),
  plan: optional(object(planFields)),
  warning: optional(text('The change was saved, but the plan cannot be read')),
});
