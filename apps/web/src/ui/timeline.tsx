import type { ReactNode } from 'react';

import { Time } from './badge.tsx';

export interface Moment {
  readonly id: string;
  readonly at: string;
  readonly title: ReactNode;
  readonly detail?: ReactNode;
  readonly isFresh?: boolean;
}

export function Timeline({ moments }: { readonly moments: readonly Moment[] }): ReactNode {
  return (
    <ol className="relative grid gap-4 border-l border-line pl-5">
      {moments.map(({ id, at, title, detail, isFresh = false }) => (
        <li
          key={id}
          data-fresh={isFresh || undefined}
          className={`relative min-w-0 ${highlightClass(isFresh)} ${isFresh ? 'rounded-sm shadow-[0_0_0_4px_var(--accent-soft)]' : ''}`}
        >
          <span
            aria-hidden
            className="absolute top-1.5 -left-[25.500px] size-2.5 rounded-full border-2 border-surface bg-accent"
          />
          <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
            <span className="min-w-0 font-medium">{title}</span>
            <span className="text-[13px] text-muted">
              <Time at={at} />
            </span>
          </div>
          {detail !== undefined && <div className="mt-2 min-w-0">{detail}</div>}
        </li>
      ))}
    </ol>
  );
}

/** Highlights a row that has just changed. The highlight then fades. */
export function highlightClass(isFresh: boolean): string {
  return isFresh ? 'bg-accent-soft' : 'transition-colors duration-1000';
}
