import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';

import { booksGlanceQuery } from '../../api/audiobooks-queries.ts';
import { notebooksGlanceQuery } from '../../api/codex-queries.ts';
import { plansGlanceQuery } from '../../api/np-queries.ts';
import { usersQuery } from '../../api/queries.ts';
import { attentionQuery, statusQuery, usePollInterval, workspacesQuery } from '../../api/ringmaster-queries.ts';
import type { DatabaseName, Workspace } from '../../api/types.ts';
import { tasksGlanceQuery } from '../../api/utask-queries.ts';
import { statusOf } from '../../lib/error-reason.ts';
import { count } from '../../lib/format.ts';
import { useMay } from '../../lib/permissions.ts';
import { Badge, ProgressBar } from '../../ui/badge.tsx';
import { buttonClass, Command } from '../../ui/button.tsx';
import { progressText } from '../books/book-text.ts';
import { Progress } from '../plans/plan-status.tsx';
import { workspaceName } from '../ringmaster/status-badge.ts';
import { Unreachable } from '../tasks/unreachable.tsx';

interface AppText {
  readonly title: string;
  readonly what: string;
  readonly page?: { readonly path: string; readonly permission: string };
  readonly Glance?: ComponentType;
}

const appCards: Readonly<Partial<Record<DatabaseName, AppText>>> = {
  np: {
    title: 'Plans',
    what: 'Agents keep one plan per project directory; you can watch it live.',
    page: { path: '/plans', permission: 'app:np:read' },
    Glance: PlansGlance,
  },
  utask: {
    title: 'Tasks',
    what: 'A small task list, on this machine or shared over NATS.',
    page: { path: '/tasks', permission: 'app:utask:read' },
    Glance: TasksGlance,
  },
  codex: {
    title: 'Notebooks',
    what: 'Folders of plain files with a history of every change.',
    page: { path: '/notebooks', permission: 'app:codex:read' },
    Glance: NotebooksGlance,
  },
  audiobooks: {
    title: 'Audiobooks',
    what: 'Your organised library, with a listening position for each user.',
    page: { path: '/books', permission: 'app:audiobooks:read' },
    Glance: BooksGlance,
  },
  accounts: {
    title: 'Users',
    what: 'Users of this server, their sessions and tokens.',
    page: { path: '/users', permission: 'users:read' },
    Glance: UsersGlance,
  },
};

export interface App extends AppText {
  readonly database: DatabaseName;
}

/** Applications that have their own page. Users without access to databases can open them. */
export const apps: readonly App[] = Object.entries(appCards)
  .map(([database, card]) => ({ database: database as DatabaseName, ...card }))
  .filter((card) => card.page !== undefined);

export function cardOf(name: DatabaseName): AppText {
  return appCards[name] ?? { title: name, what: 'A database on this server' };
}

interface TileProps {
  readonly title: string;
  readonly what: string;
  readonly badge?: ReactNode;
  readonly children?: ReactNode;
  readonly below?: ReactNode;
  readonly facts?: readonly (readonly [name: string, value: ReactNode])[];
  readonly links?: ReactNode;
}

export function Tile({ title, what, badge, children, below, facts = [], links }: TileProps): ReactNode {
  return (
    <article aria-label={title} className="flex flex-col gap-4 rounded-xl border border-line bg-surface p-5">
      <header>
        <div className="flex min-h-6 items-start justify-between gap-3">
          <h2 className="font-semibold">{title}</h2>
          {badge}
        </div>
        <p className="mt-1 text-[13px] text-muted">{what}</p>
      </header>
      <div className="flex-1">{children}</div>
      {below}
      {facts.length > 0 && (
        <dl className="grid grid-cols-[minmax(0,3fr)_minmax(0,2fr)_minmax(0,2fr)] gap-3 border-t border-line pt-4">
          {facts.map(([name, value]) => (
            <div key={name} className="min-w-0">
              <dt className="text-[13px] text-muted">{name}</dt>
              <dd className="truncate font-medium tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <footer className="flex flex-wrap gap-2">{links}</footer>
    </article>
  );
}

export function OpenButton({ path, title }: { readonly path: string; readonly title: string }): ReactNode {
  return (
    <Link to={path} className={buttonClass('primary', 'small')}>
      Open<span className="sr-only"> {title.toLowerCase()}</span>
    </Link>
  );
}

interface FirstCommandProps {
  readonly children: ReactNode;
  readonly command: string;
}

function FirstCommand({ children, command }: FirstCommandProps): ReactNode {
  return (
    <div className="grid gap-2">
      <p className="text-[13px]">{children}</p>
      <Command text={command} />
    </div>
  );
}

const glanceLink = '-mx-2 grid grid-cols-[minmax(0,1fr)] gap-1 rounded-lg px-2 py-1.5 hover:bg-sunken';

const EVERY_MS = 15_000;

/** Polls if the user is not allowed to follow the activity stream. */
function useGlanceInterval(): { readonly refetchInterval?: number } {
  return useMay('system:read') ? {} : { refetchInterval: EVERY_MS };
}

function PlansGlance(): ReactNode {
  const { data: plans } = useQuery({ ...plansGlanceQuery, ...useGlanceInterval() });
  if (plans === undefined) return null;
  if (plans.length === 0)
    return <FirstCommand command="np start">No active plans. Start one in a project directory:</FirstCommand>;
  return (
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-1">
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

function TasksGlance(): ReactNode {
  const { data, error } = useQuery({ ...tasksGlanceQuery, ...useGlanceInterval() });
  if (statusOf(error) === 503) return <Unreachable error={error} />;
  if (data === undefined) return null;
  if (data.open + data.done === 0) {
    return <FirstCommand command='ut add "Buy milk" -t errand'>No tasks yet. Add the first one:</FirstCommand>;
  }
  return (
    <div className="grid gap-2">
      <p className="text-[13px] text-muted">
        {count(data.open)} open, {count(data.done)} done
      </p>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-1">
        {data.latest.map(({ id, text }) => (
          <li key={id} dir="auto" className="truncate text-left font-medium">
            {text}
          </li>
        ))}
      </ul>
    </div>
  );
}

function NotebooksGlance(): ReactNode {
  const { data } = useQuery({ ...notebooksGlanceQuery, ...useGlanceInterval() });
  if (data === undefined) return null;
  if (data.notebooks.length === 0) {
    return (
      <FirstCommand command="holdfast notebooks add notes ~/notes">No notebooks yet. Add any folder:</FirstCommand>
    );
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
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-1">
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

function BooksGlance(): ReactNode {
  const { data } = useQuery({ ...booksGlanceQuery, ...useGlanceInterval() });
  if (data === undefined) return null;
  if (data.libraries === 0) {
    return (
      <FirstCommand command="holdfast audiobooks scan ~/Audiobooks">
        No audiobooks yet. Scan the folder that contains them:
      </FirstCommand>
    );
  }
  return (
    <div className="grid gap-2">
      <p className="text-[13px] text-muted">{count(data.books, 'book')}</p>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-1">
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

const USERS_SHOWN = 3;

function UsersGlance(): ReactNode {
  const { data: users } = useQuery(usersQuery);
  if (users === undefined) return null;
  return (
    <div className="grid gap-2">
      <p className="text-[13px] text-muted">{count(users.length, 'user')}</p>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-1">
        {users.slice(0, USERS_SHOWN).map(({ id, username }) => (
          <li key={id} className="truncate font-medium">
            {username}
          </li>
        ))}
      </ul>
    </div>
  );
}

const WORKSPACES_SHOWN = 5;

const sum = (values: readonly number[]): string => count(values.reduce((total, value) => total + value, 0));

export function RingmasterCard(): ReactNode {
  const maySee = useMay('app:ringmaster:read');
  const { data: workspaces } = useQuery({ ...workspacesQuery, enabled: maySee });
  const pace = usePollInterval();
  const usable = (workspaces ?? []).filter(({ problem }) => problem === null);
  const counts = useQueries({
    queries: usable.map(({ id }) => ({ ...statusQuery(id), ...pace })),
    combine: (all) => all.flatMap(({ data }) => data ?? []),
  });
  if (!maySee) return null;
  return (
    <Tile
      title="Ringmaster"
      what="AI workers complete tasks in your projects; you review and decide."
      facts={
        usable.length === 0
          ? []
          : [
              ['Ready', sum(counts.map(({ ready }) => ready))],
              ['Running', sum(counts.map(({ running }) => running))],
              ['Done', sum(counts.map(({ tasks }) => tasks['done'] ?? 0))],
            ]
      }
      links={<OpenButton path="/ringmaster" title="Ringmaster" />}
    >
      {workspaces?.length === 0 && (
        <FirstCommand command='ringmaster init --name "My project"'>
          No projects yet. Run this in a project directory:
        </FirstCommand>
      )}
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-1">
        {workspaces?.slice(0, WORKSPACES_SHOWN).map((workspace) => (
          <li key={workspace.id}>
            <WorkspaceLine workspace={workspace} />
          </li>
        ))}
      </ul>
      {workspaces !== undefined && workspaces.length > WORKSPACES_SHOWN && (
        <p className="mt-1 text-[13px] text-muted">{count(workspaces.length - WORKSPACES_SHOWN, 'more project')}</p>
      )}
    </Tile>
  );
}

function WorkspaceLine({ workspace: { id, root, problem } }: { readonly workspace: Workspace }): ReactNode {
  const { data } = useQuery({ ...attentionQuery(id), ...usePollInterval(), enabled: problem === null });
  const needs = data === undefined ? 0 : data.inquiries.length + data.failed.length + data.review.length;
  return (
    <Link to="/ringmaster/$workspace/$view" params={{ workspace: id, view: 'board' }} className={glanceLink}>
      <span className="truncate font-medium">{workspaceName(root)}</span>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-[13px] text-muted">
        {problem !== null && <Badge tone="bad">Unavailable</Badge>}
        {needs > 0 && <Badge tone="warn">{count(needs, 'needs you', 'need you')}</Badge>}
        {data !== undefined && data.running.length > 0 && (
          <Badge tone="busy">{count(data.running.length)} running</Badge>
        )}
        {data !== undefined && needs === 0 && 'Nothing needs you'}
      </span>
    </Link>
  );
}
