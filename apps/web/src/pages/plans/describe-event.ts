import type { PlanEvent } from '../../api/types.ts';
import type { Tone } from '../../ui/badge.tsx';
import { statusStyles } from './status.ts';

export function describeEvent({ type, payload }: PlanEvent): string {
  switch (type) {
    case 'session_started':
      return 'Session started';
    case 'session_archived':
      return 'Session archived';
    case 'goal_set':
      return `Goal set: ${payload.goal.title}`;
    case 'goal_updated':
      return `Goal changed: ${payload.goal_after.title}`;
    case 'task_added':
      return `Task added: ${payload.task.title}`;
    case 'task_updated':
      return `Task edited: ${payload.after.title}`;
    case 'task_status_changed':
      return `${statusStyles[payload.status_after].word}: ${payload.title}`;
    case 'task_deleted':
      return `Task deleted: ${payload.task.title}`;
    case 'task_moved':
      return `Task moved from position ${payload.position_before} to ${payload.position_after}: ${payload.title}`;
    case 'task_claimed':
    default:
      return payload.actor === null ? `Task released: ${payload.title}` : `${payload.actor} claimed: ${payload.title}`;
  }
}

export function toneOf({ type, payload }: PlanEvent): Tone {
  if (type === 'task_status_changed') return statusStyles[payload.status_after].tone;
  if (type === 'task_added' || type === 'goal_set' || type === 'session_started') return 'added';
  if (type === 'task_deleted') return 'removed';
  return type === 'session_archived' ? 'paused' : 'changed';
}

interface Texts {
  readonly title: string;
  readonly description: string;
}

/** Text before and after an edit. */
export function rewordingOf({
  type,
  payload,
}: PlanEvent): { readonly before: string; readonly after: string } | undefined {
  if (type === 'goal_updated') return { before: textOf(payload.goal_before), after: textOf(payload.goal_after) };
  if (type === 'task_updated') return { before: textOf(payload.before), after: textOf(payload.after) };
  return undefined;
}

function textOf({ title, description }: Texts): string {
  return description === '' ? title : `${title}\n${description}`;
}
