import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { plansGlanceQuery } from '../../api/np-queries.ts';
import { Progress } from '../plans/progress.tsx';
import { usePace } from './use-pace.ts';

/** The plans that are being worked on. */
export function PlansGlance(): ReactNode {
  const { data: plans = [] } = useQuery({ ...plansGlanceQuery, ...usePace() });
  if (plans.length === 0) return <p className="text-[13px] text-muted">No plan is being worked on.</p>;
  return (
    <ul className="grid gap-1">
      {plans.map(({ session, goal, counts }) => (
        <li key={session.sid}>
          <Link
            to="/plans/$sid"
            params={{ sid: session.sid }}
            className="-mx-2 grid gap-1 rounded-lg px-2 py-1.5 hover:bg-sunken"
          >
            <span className={`truncate font-medium ${goal === null ? 'text-muted italic' : ''}`}>
              {goal?.title ?? session.dir_path}
            </span>
            <Progress counts={counts} />
          </Link>
        </li>
      ))}
    </ul>
  );
}
