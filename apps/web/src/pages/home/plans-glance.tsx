import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { plansGlanceQuery } from '../../api/np-queries.ts';
import { Progress } from '../plans/progress.tsx';
import { Beginning } from './beginning.tsx';
import { glanceLink } from './glance-link.ts';
import { usePace } from './use-pace.ts';

/** The plans that are being worked on. */
export function PlansGlance(): ReactNode {
  const { data: plans } = useQuery({ ...plansGlanceQuery, ...usePace() });
  if (plans === undefined) return null;
  if (plans.length === 0)
    return <Beginning command="np start">No plan is being worked on. In a project directory:</Beginning>;
  return (
    <ul className="grid gap-1">
      {plans.map(({ session, goal, counts }) => (
        <li key={session.sid}>
          <Link to="/plans/$sid" params={{ sid: session.sid }} className={glanceLink}>
            <span dir="auto" className={`truncate text-left font-medium ${goal === null ? 'text-muted italic' : ''}`}>
              {goal?.title ?? session.dir_path}
            </span>
            <Progress counts={counts} />
          </Link>
        </li>
      ))}
    </ul>
  );
}
