import type { TaskStatus } from '../../api/types.ts';
import type { Tone } from '../../ui/badge.tsx';

interface StatusBadge {
  readonly word: string;
  readonly tone: Tone;
}

export const statusBadges: Readonly<Record<TaskStatus, StatusBadge>> = {
  draft: { word: 'Draft', tone: 'neutral' },
  ready: { word: 'Ready', tone: 'open' },
  assigned: { word: 'Starting', tone: 'busy' },
  in_progress: { word: 'Running', tone: 'busy' },
  blocked: { word: 'Blocked', tone: 'warn' },
  review: { word: 'In review', tone: 'changed' },
  done: { word: 'Done', tone: 'good' },
  failed: { word: 'Failed', tone: 'bad' },
};

/** The status is `ready`, but a dependency is not finished. */
export const waiting: StatusBadge = { word: 'Waiting', tone: 'paused' };

export function statusBadge(status: string, isWaiting = false): StatusBadge {
  if (status === 'ready' && isWaiting) return waiting;
  return status in statusBadges ? statusBadges[status as TaskStatus] : { word: status, tone: 'neutral' };
}

/** `circus` for `/home/ada/circus`. */
export function workspaceName(root: string): string {
  return root.split('/').findLast((part) => part !== '') ?? root;
}
