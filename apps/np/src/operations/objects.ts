import { boolean, type Caller, flag, list, nullable, object, operationsOf, optional, text } from '@holdfast/operation';
import { eventObject } from '../model/event.ts';
import { countFields, goalFields, sessionFields, taskFields } from '../model/plan.ts';
import type { Call, Np, SessionTarget } from '../service/np.ts';
import type { ChangeResult } from '../service/plan.ts';

export const defineOperation = operationsOf<SessionTarget>();

export const sessionObject = object(sessionFields);
export const goalObject = object(goalFields);
export const taskObject = object(taskFields);
export const countsObject = object(countFields);

const planFields = {
  session: sessionObject,
  goal: nullable(goalObject),
  tasks: list(taskObject, { summary: 'In plan order' }),
  counts: countsObject,
} as const;

export const planObject = object({
  ...planFields,
  recent_events: optional(list(eventObject, { summary: 'Latest changes, oldest first' })),
});

export const reason = optional(text('Reason for the change'));
export const plan = flag('Also return the whole plan');

const { id, title, status, actor } = taskFields;
const briefTask = object({ id, title, status });

/** The answer to every change: what changed, the counts and what comes next. */
export const changeObject = object({
  sid: sessionFields.sid,
  goal: optional(goalObject),
  tasks: list(object({ id, title, status, actor, changed: boolean('False if the task already had these values') })),
  counts: optional(countsObject),
  next: list(briefTask, { summary: 'Tasks in progress, then pending ones; at most three' }),
  plan: optional(object(planFields)),
  warning: optional(text('The change was saved, but the plan cannot be read')),
});

/** `run` of an operation that changes the session: loads the service and answers with `changeObject`. */
export function changing<Request extends Call>(
  load: () => Promise<(np: Np, request: Request) => Promise<ChangeResult>>,
) {
  return async () => {
    const change = await load();
    const { answerChange } = await import('../service/plan.ts');
    return (target: SessionTarget, input: Omit<Request, keyof Call> & { readonly plan: boolean }, caller: Caller) =>
      answerChange(target, input, caller, (call) => change(target.np, { ...call, ...input } as unknown as Request));
  };
}
