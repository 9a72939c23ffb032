import { boolean, type Caller, flag, list, nullable, object, operationsOf, optional, text } from '@holdfast/operation';
import { eventObject } from '../model/event.ts';
import { countFields, goalFields, sessionFields, taskFields, taskNoteFields } from '../model/plan.ts';
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
  notes: list(object(taskNoteFields), { summary: 'Notes on tasks' }),
  counts: countsObject,
} as const;

export const planObject = object({
  ...planFields,
  recent_events: optional(list(eventObject, { summary: 'Latest changes, oldest first' })),
});

export const reason = optional(text('Reason for the change'));
export const plan = flag('Also return the whole plan');

export const actor = optional(text('Name of the person or agent that makes the change', { label: 'name' }));
export const force = flag('Also change tasks that another actor has claimed');

const { id, title, status, actor: owner, claimed_until } = taskFields;
const briefTask = object({ id, title, status });

/** The answer to every change: what changed, the counts and what comes next. */
export const changeObject = object({
  sid: sessionFields.sid,
  undone: optional(text('The change that was undone')),
  goal: optional(goalObject),
  tasks: list(
    object({
      id,
      title,
      status,
      actor: owner,
      claimed_until,
      changed: boolean('False if the task already had these values'),
    }),
  ),
  counts: optional(countsObject),
  next: list(briefTask, { summary: 'Up to three tasks: first tasks in progress, then tasks that can be started' }),
  plan: optional(object(planFields)),
  warning: optional(text('Set if the change was saved, but the plan could not be read afterwards')),
});

/**
 * Returns the `run` function for an operation that changes the session. The function loads the service and returns a
 * `changeObject`.
 */
export function changing<Request extends Call>(
  load: () => Promise<(np: Np, request: Request) => Promise<ChangeResult>>,
) {
  return async () => {
    const change = await load();
    const { answerChange } = await import('../service/plan.ts');
    return (target: SessionTarget, input: Omit<Request, keyof Call> & { readonly plan: boolean }, caller: Caller) =>
      answerChange(target, input, caller, (call) => change(target.np, { ...input, ...call } as unknown as Request));
  };
}
