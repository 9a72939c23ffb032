import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { PlanSummary } from '../../api/types.ts';
import { useStore } from '../../lib/store.ts';
import { Badge } from '../../ui/badge.tsx';
import { highlightClass } from '../../ui/highlight-class.ts';
import { Time } from '../../ui/time.tsx';
import { recentPlans } from './plan-stream.ts';
import { Progress } from './progress.tsx';

export function PlanRow({ plan: { session, goal, counts } }: { readonly plan: PlanSummary }): ReactNode {
  const isFresh = useStore(recentPlans).has(session.sid);
  return (
    <Link
      to="/plans/$sid"
      params={{ sid: session.sid }}
      data-fresh={isFresh || undefined}
      className={`grid gap-2 px-5 py-3.5 -outline-offset-2 hover:bg-sunken ${highlightClass(isFresh)}`}
    >
      <span className="flex items-start gap-3">
        <span
          dir="auto"
          className={`min-w-0 flex-1 truncate text-left font-medium ${goal === null ? 'text-muted italic' : ''}`}
        >
          {goal?.title ?? 'No goal yet'}
        </span>
        <SessionBadge state={session.state} />
      </span>
      <span className="grid items-center gap-x-6 gap-y-1.5 sm:grid-cols-[1fr_16rem_6rem]">
        <span className="truncate font-mono text-xs text-muted" title={session.dir_path}>
          {session.dir_path}
        </span>
        <Progress counts={counts} />
        <span className="text-[13px] text-muted sm:text-right">
          <Time at={session.last_updated_at} />
        </span>
      </span>
    </Link>
  );
}

export function SessionBadge({ state }: { readonly state: PlanSummary['session']['state'] }): ReactNode {
  return state === 'active' ? <Badge tone="good">Active</Badge> : <Badge tone="paused">Archived</Badge>;
}
