import type { ReactNode } from 'react';

import type { PlanCounts } from '../../api/types.ts';
import { statusStyles, progressOf, type Status } from './status.ts';

const parts: readonly Status[] = ['completed', 'in_progress', 'failed', 'pending'];

/** Progress of a plan as a bar and in words. */
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
