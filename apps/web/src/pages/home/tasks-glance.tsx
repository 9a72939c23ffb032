import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { tasksGlanceQuery } from '../../api/utask-queries.ts';
import { count } from '../../lib/format.ts';
import { statusOf } from '../../lib/reason.ts';
import { Unreachable } from '../tasks/unreachable.tsx';
import { Beginning } from './beginning.tsx';
import { usePace } from './use-pace.ts';

/** What is to be done. */
export function TasksGlance(): ReactNode {
  const { data, error } = useQuery({ ...tasksGlanceQuery, ...usePace() });
  if (statusOf(error) === 503) return <Unreachable error={error} />;
  if (data === undefined) return null;
  if (data.open + data.done === 0) {
    return <Beginning command='ut add "Buy milk" -t errand'>No task was written down yet. The first:</Beginning>;
  }
  return (
    <div className="grid gap-2">
      <p className="text-[13px] text-muted">
        {count(data.open)} open, {count(data.done)} done
      </p>
      <ul className="grid gap-1">
        {data.latest.map(({ id, text }) => (
          <li key={id} dir="auto" className="truncate text-left font-medium">
            {text}
          </li>
        ))}
      </ul>
    </div>
  );
}
