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
import { OpenButton, Tile } from './tile.tsx';

export function DatabaseCard({ database }: { readonly database: DatabaseState }): ReactNode {
  const { name, revision, last_commit_at: last, bytes, log_bytes: log, problem } = database;
  const { title, what, page, Glance } = cardOf(name);
  const mayOpen = useMay(page?.permission ?? '');
  const commits = useQuery({ ...commitsQuery(name), enabled: problem === null });
  return (
    <Tile
      title={title}
      what={what}
      badge={problem === null ? <Badge tone="good">Working</Badge> : <Badge tone="bad">Unavailable</Badge>}
      below={
        problem === null ? (
          <Pulse commits={commits.data ?? []} />
        ) : (
          <p className="rounded-lg bg-bad-soft p-3 text-bad">
            {problem.message} <span className="font-mono text-xs">{problem.code}</span>
          </p>
        )
      }
      facts={[
        ['Last commit', last === null ? 'none yet' : <Time at={last} />],
        ['Revision', revision === null ? 'unknown' : count(revision)],
        ['Size', byteSize(bytes + log)],
      ]}
      doors={
        <>
          {page !== undefined && mayOpen && <OpenButton path={page.path} title={title} />}
          <Doors database={database} title={title} />
        </>
      }
    >
      {Glance !== undefined && mayOpen && problem === null && <Glance />}
    </Tile>
  );
}

interface DoorsProps {
  readonly database: DatabaseState;
  readonly title: string;
}

function Doors({ database: { name, kind }, title }: DoorsProps): ReactNode {
  return (
    <>
      <Link to="/activity" search={{ database: name }} className={buttonClass('plain', 'small')}>
        Activity<span className="sr-only"> of {title}</span>
      </Link>
      {kind === 'keyspace' && (
        <Link to="/keys/$name" params={{ name }} className={buttonClass('plain', 'small')}>
          Keys<span className="sr-only"> of {title}</span>
        </Link>
      )}
    </>
  );
}
