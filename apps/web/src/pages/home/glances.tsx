import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { booksGlanceQuery } from '../../api/audiobooks-queries.ts';
import { notebooksGlanceQuery } from '../../api/codex-queries.ts';
import { plansGlanceQuery } from '../../api/np-queries.ts';
import { usersQuery } from '../../api/queries.ts';
import { tasksGlanceQuery } from '../../api/utask-queries.ts';
import { count } from '../../lib/format.ts';
import { useMay } from '../../lib/permissions.ts';
import { statusOf } from '../../lib/error-reason.ts';
import { Command } from '../../ui/copy-button.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { progressText } from '../books/book-text.ts';
import { Progress } from '../plans/progress.tsx';
import { Unreachable } from '../tasks/unreachable.tsx';

interface BeginningProps {
  /** Where to type the command. */
  readonly children: ReactNode;
  readonly command: string;
}

/** How to get started with an application. */
export function Beginning({ children, command }: BeginningProps): ReactNode {
  return (
    <div className="grid gap-2">
      <p className="text-[13px]">{children}</p>
      <Command text={command} />
    </div>
  );
}

export const glanceLink = '-mx-2 grid gap-1 rounded-lg px-2 py-1.5 hover:bg-sunken';

const EVERY_MS = 15_000;

/** Polls for users who cannot follow the activity stream. */
function usePace(): { readonly refetchInterval?: number } {
  return useMay('system:read') ? {} : { refetchInterval: EVERY_MS };
}

export function PlansGlance(): ReactNode {
  const { data: plans } = useQuery({ ...plansGlanceQuery, ...usePace() });
  if (plans === undefined) return null;
  if (plans.length === 0)
    return <Beginning command="np start">No active plans. Start one in a project directory:</Beginning>;
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

export function TasksGlance(): ReactNode {
  const { data, error } = useQuery({ ...tasksGlanceQuery, ...usePace() });
  if (statusOf(error) === 503) return <Unreachable error={error} />;
  if (data === undefined) return null;
  if (data.open + data.done === 0) {
    return <Beginning command='ut add "Buy milk" -t errand'>No tasks yet. Add the first:</Beginning>;
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

export function NotebooksGlance(): ReactNode {
  const { data } = useQuery({ ...notebooksGlanceQuery, ...usePace() });
  if (data === undefined) return null;
  if (data.notebooks.length === 0) {
    return <Beginning command="holdfast notebooks add notes ~/notes">No notebooks yet. Add any folder:</Beginning>;
  }
  const { pending, dead, uncommitted } = data;
  return (
    <div className="grid gap-2">
      <p className="text-[13px] text-muted">
        {pending === 0 ? 'All changes saved' : count(pending, 'unsaved change')}
        {pending === 0 && (uncommitted === 0 ? ' and committed' : `, ${count(uncommitted)} not committed yet`)}
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

export function BooksGlance(): ReactNode {
  const { data } = useQuery({ ...booksGlanceQuery, ...usePace() });
  if (data === undefined) return null;
  if (data.libraries === 0) {
    return (
      <Beginning command="holdfast audiobooks scan ~/Audiobooks">
        No audiobooks yet. Scan the folder with yours:
      </Beginning>
    );
  }
  return (
    <div className="grid gap-2">
      <p className="text-[13px] text-muted">{count(data.books, 'book')}</p>
      <ul className="grid gap-1">
        {data.started.map((book) => (
          <li key={book.id}>
            <Link to="/books/$view" params={{ view: book.id }} className={glanceLink}>
              <span className="flex items-baseline gap-3">
                <span dir="auto" className="min-w-0 flex-1 truncate text-left font-medium">
                  {book.title}
                </span>
                <span className="shrink-0 text-[13px] text-muted tabular-nums">{progressText(book)}</span>
              </span>
              <span aria-hidden>
                <ProgressBar label="" percent={book.progress?.percent ?? 0} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

const SHOWN = 3;

export function UsersGlance(): ReactNode {
  const { data: users } = useQuery(usersQuery);
  if (users === undefined) return null;
  return (
    <div className="grid gap-2">
      <p className="text-[13px] text-muted">{count(users.length, 'user')}</p>
      <ul className="grid gap-1">
        {users.slice(0, SHOWN).map(({ id, username }) => (
          <li key={id} className="truncate font-medium">
            {username}
          </li>
        ))}
      </ul>
    </div>
  );
}
