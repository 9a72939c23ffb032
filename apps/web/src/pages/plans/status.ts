import type { PlanCounts, PlanTask } from '../../api/types.ts';
import type { Tone } from '../../ui/badge.tsx';

export type Status = PlanTask['status'];

interface StatusStyle {
  readonly word: string;
  readonly tone: Tone;
  /** Colour in the progress bar. */
  readonly bar: string;
}

/** In the order of the filter buttons. */
export const statusStyles: Readonly<Record<Status, StatusStyle>> = {
  in_progress: { word: 'In progress', tone: 'busy', bar: 'bg-info' },
  pending: { word: 'Pending', tone: 'open', bar: 'bg-line' },
  completed: { word: 'Completed', tone: 'good', bar: 'bg-good' },
  failed: { word: 'Failed', tone: 'bad', bar: 'bg-bad' },
  cancelled: { word: 'Cancelled', tone: 'cancelled', bar: 'bg-line-strong' },
};

export const statuses = Object.keys(statusStyles) as readonly Status[];

/** Cancelled tasks do not count. */
export function progressOf(counts: PlanCounts): { readonly done: number; readonly total: number } {
  const { pending, in_progress: working, completed, failed } = counts;
  return { done: completed, total: pending + working + completed + failed };
}
