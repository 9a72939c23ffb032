import type { BoardTask, TaskStatus } from '../../api/types.ts';
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

/** A ready task with unfinished dependencies is blocked, too. */
export const waiting: StatusBadge = statusBadges.blocked;

export function statusBadge(status: string, isHeld = false): StatusBadge {
  if (status === 'ready' && isHeld) return waiting;
  return status in statusBadges ? statusBadges[status as TaskStatus] : { word: status, tone: 'neutral' };
}

/** A ready task with unfinished dependencies is shown as blocked. */
export function boardBadge({ status, is_ready: isReady }: Pick<BoardTask, 'status' | 'is_ready'>): StatusBadge {
  return status === 'ready' && !isReady ? waiting : statusBadges[status];
}

/** `circus` for `/home/ada/circus`. */
export function workspaceName(root: string): string {
  return root.split('/').findLast((part) => part !== '') ?? root;
}
