import type { ReactNode } from 'react';

import type { PlanCounts, PlanSummary, PlanTask } from '../../api/types.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';

export type Status = PlanTask['status'];

interface StatusStyle {
  readonly word: string;
  readonly tone: Tone;
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
function progressOf(counts: PlanCounts): { readonly done: number; readonly total: number } {
  const { pending, in_progress: working, completed, failed } = counts;
  return { done: completed, total: pending + working + completed + failed };
}

const parts: readonly Status[] = ['completed', 'in_progress', 'failed', 'pending'];

export function Progress({ counts }: { readonly counts: PlanCounts }): ReactNode {
  const { done, total } = progressOf(counts);
  const text = total === 0 ? 'No tasks yet' : `${done} of ${total} done`;
  return (
    <div className="flex min-w-0 items-center gap-3">
      <div aria-hidden className="flex h-2 min-w-16 flex-1 gap-px overflow-hidden rounded-full bg-line">
        {parts
          .filter((status) => counts[status] > 0)
          .map((status) => (
            <span key={status} className={`min-w-1 ${statusStyles[status].bar}`} style={{ flexGrow: counts[status] }} />
          ))}
      </div>
      <span className="shrink-0 text-[13px] text-muted tabular-nums">{text}</span>
    </div>
  );
}

export function SessionBadge({ state }: { readonly state: PlanSummary['session']['state'] }): ReactNode {
  return state === 'active' ? <Badge tone="good">Active</Badge> : <Badge tone="paused">Archived</Badge>;
}
