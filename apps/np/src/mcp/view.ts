import { describeEvent } from '../model/describe-event.ts';
import type { Event } from '../model/event.ts';
import { type Plan, progressOf } from '../model/plan.ts';
import type { Task } from '../model/session.ts';
import { SYMBOL_BY_STATUS } from '../model/status.ts';

/** Text for a model: everything it needs, and nothing that only looks nice. */

export function planText({ goal, tasks, counts, session }: Plan): string {
  const { done, total } = progressOf(counts);
  const head = goal === undefined ? 'No goal set yet.' : `Goal: ${goal.title}\n${goal.description}`.trimEnd();
  return `${head}\n\n${tasksText(tasks)}\n\n${done} of ${total} done, session ${session.sid} (${session.state})`;
}

/** The plan after a change that is already saved. */
export function changedText(plan: Plan | { readonly warning: string }): string {
  return 'warning' in plan ? `Saved. ${plan.warning}` : planText(plan);
}

export function tasksText(tasks: readonly Task[]): string {
  if (tasks.length === 0) return 'No tasks.';
  return tasks
    .map(({ id, title, description, status, actor }) => {
      const claimed = actor === undefined ? '' : ` (claimed by ${actor})`;
      const details = description === '' ? '' : `\n  ${description.replaceAll('\n', '\n  ')}`;
      return `${SYMBOL_BY_STATUS[status]} ${id} ${title}${claimed}${details}`;
    })
    .join('\n');
}

export function eventsText(events: readonly Event[]): string {
  return events
    .map((event) => {
      const reason = event.reason === null ? '' : ` (because ${event.reason})`;
      return `${event.seq} ${event.at} ${describeEvent(event)}${reason}`;
    })
    .join('\n');
}
