import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { commitsQuery } from '../../api/queries.ts';
import type { DatabaseState } from '../../api/types.ts';
import { byteSize, count } from '../../lib/format.ts';
import { useMay } from '../../lib/permissions.ts';
import { Badge } from '../../ui/badge.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Time } from '../../ui/time.tsx';
import { cardOf } from './apps.ts';
import { Pulse } from './pulse.tsx';

/** What is going on in one database. */
export function DatabaseCard({ database }: { readonly database: DatabaseState }): ReactNode {
  const { name, kind, revision, last_commit_at: last, bytes, log_bytes: log, problem } = database;
  const { title, what, page, Glance } = cardOf(name);
  const mayOpen = useMay(page?.permission ?? '');
  const commits = useQuery({ ...commitsQuery(name), enabled: problem === null });
  return (
    <article aria-label={title} className="flex flex-col gap-4 rounded-xl border border-line bg-surface p-5">
      <header>
        <div className="flex items-start justify-between gap-3">
          <h2 className="font-semibold">{title}</h2>
          {problem === null ? <Badge tone="good">Working</Badge> : <Badge tone="bad">Not usable</Badge>}
        </div>
        <p className="mt-1 text-[13px] text-muted">{what}</p>
      </header>
      {Glance !== undefined && mayOpen && problem === null && <Glance />}
      <div className="flex-1" />
      {problem === null ? (
        <Pulse commits={commits.data ?? []} />
      ) : (
        <p className="rounded-lg bg-bad-soft p-3 text-bad">
          {problem.message} <span className="font-mono text-xs">{problem.code}</span>
        </p>
      )}
      <dl className="grid grid-cols-3 gap-3 border-t border-line pt-4">
        <Fact title="Last commit">{last === null ? 'none yet' : <Time at={last} />}</Fact>
        <Fact title="Revision">{revision === null ? 'unknown' : count(revision)}</Fact>
        <Fact title="Size">{byteSize(bytes + log)}</Fact>
      </dl>
      <footer className="flex flex-wrap gap-2">
        {page !== undefined && mayOpen && (
          <Link to={page.path} className={buttonClass('primary', 'small')}>
            Open {title.toLowerCase()}
          </Link>
        )}
        <Link to="/activity" search={{ database: name }} className={buttonClass('plain', 'small')}>
          Activity<span className="sr-only"> of {title}</span>
        </Link>
        {kind === 'keyspace' && (
          <Link to="/keys/$name" params={{ name }} className={buttonClass('plain', 'small')}>
            Keys<span className="sr-only"> of {title}</span>
          </Link>
        )}
      </footer>
    </article>
  );
}

function Fact({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <div className="min-w-0">
      <dt className="text-[13px] text-muted">{title}</dt>
      <dd className="truncate font-medium tabular-nums">{children}</dd>
    </div>
  );
}
