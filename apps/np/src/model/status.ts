/** The states of a task, in display order. */
export const STATUSES = ['pending', 'in_progress', 'completed', 'failed', 'cancelled'] as const;

export type Status = (typeof STATUSES)[number];

export const SYMBOL_BY_STATUS: Readonly<Record<Status, string>> = {
  pending: '☐',
  in_progress: '⟳',
  completed: '☑',
  failed: '☒',
  cancelled: '⊗',
};

export const LABEL_BY_STATUS: Readonly<Record<Status, string>> = {
  pending: 'pending',
  in_progress: 'in progress',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** Any status may follow any other; some require a reason. */
export function statusNeedsReason(status: Status): boolean {
  return status === 'failed' || status === 'cancelled';
}

export function isFinished(status: Status): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}
