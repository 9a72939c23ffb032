import type { Event } from './event.ts';
import { LABEL_BY_STATUS } from './status.ts';

/** Describes an event in a few words, without reason and time. */
export function describeEvent(event: Event): string {
  const { payload, type } = event;
  switch (type) {
    case 'session_started':
      return `session started in ${payload.dir_path}`;
    case 'session_archived':
      return 'session archived';
    case 'goal_set':
      return `goal set: ${payload.goal.title}`;
    case 'goal_updated':
      return `goal updated: ${payload.goal_after.title}`;
    case 'task_added':
      return `${payload.task.id} added: ${payload.task.title}`;
    case 'task_updated':
      return `${payload.task_id} updated: ${payload.after.title}`;
    case 'task_status_changed':
      return `${payload.task_id} ${LABEL_BY_STATUS[payload.status_after]}: ${payload.title}`;
    case 'task_deleted':
      return `${payload.task.id} deleted: ${payload.task.title}`;
    case 'task_moved':
      return `${payload.task_id} moved from ${payload.position_before} to ${payload.position_after}: ${payload.title}`;
    case 'task_claimed':
    default:
      return payload.actor === null
        ? `${payload.task_id} released by ${payload.actor_before ?? 'nobody'}: ${payload.title}`
        : `${payload.task_id} claimed by ${payload.actor}: ${payload.title}`;
  }
}
