import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { notebooksGlanceQuery } from '../../api/codex-queries.ts';
import { count } from '../../lib/format.ts';
import { Beginning } from './beginning.tsx';
import { glanceLink } from './glance-link.ts';
import { usePace } from './use-pace.ts';

/** Whether everything is saved, and the notebooks there are. */
export function NotebooksGlance(): ReactNode {
  const { data } = useQuery({ ...notebooksGlanceQuery, ...usePace() });
  if (data === undefined) return null;
  if (data.notebooks.length === 0) {
    return (
      <Beginning command="holdfast codex notebook add notes ~/notes">
        No folder is a notebook yet. Any can become one:
      </Beginning>
    );
  }
  const { pending, dead, uncommitted } = data;
  return (
    <div className="grid gap-2">
      <p className="text-[13px] text-muted">
        {pending === 0 ? 'Everything is saved' : `${count(pending, 'change waits', 'changes wait')} to be saved`}
        {pending === 0 && (uncommitted === 0 ? ' and committed' : `, ${count(uncommitted)} to be committed`)}
        {dead > 0 && (
          <>
            {' · '}
            <Link to="/queue" search={{ status: 'failed' }} className="font-medium text-bad underline">
              {count(dead)} failed
            </Link>
          </>
        )}
      </p>
      <ul className="grid gap-1">
        {data.notebooks.map(({ id, name }) => (
          <li key={id}>
            <Link to="/notebooks/$id" params={{ id: String(id) }} className={glanceLink}>
              <span dir="auto" className="truncate text-left font-medium">
                {name}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
