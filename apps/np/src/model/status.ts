/** The five states of a task, in the order in which people read them. */
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

/** Any status may follow any other: agents change their minds. Only the need for a reason differs. */
export function statusNeedsReason(status: Status): boolean {
  return status === 'failed' || status === 'cancelled';
}

/** Nobody has to do anything about it any more. */
export function isFinished(status: Status): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}
