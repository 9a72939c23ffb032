import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { Workspace } from '../../api/types.ts';
import { attentionQuery, workspacesQuery, statusQuery } from '../../api/ringmaster-queries.ts';
import { count } from '../../lib/format.ts';
import { useMay } from '../../lib/permissions.ts';
import { Badge } from '../../ui/badge.tsx';
import { workspaceName } from '../ringmaster/status-badge.ts';
import { usePollInterval } from '../ringmaster/use-poll-interval.ts';
import { Beginning, glanceLink } from './glances.tsx';
import { OpenButton, Tile } from './tile.tsx';

const SHOWN = 5;

/** Tasks that need a person and running workers, in every workspace. */
export function RingmasterCard(): ReactNode {
  const maySee = useMay('app:ringmaster:read');
  const { data: workspaces } = useQuery({ ...workspacesQuery, enabled: maySee });
  const pace = usePollInterval();
  const usable = (workspaces ?? []).filter(({ problem }) => problem === null);
  const { ready, running, done } = useQueries({
    queries: usable.map(({ id }) => ({ ...statusQuery(id), ...pace })),
    combine: (all) => summed(all.map(({ data }) => data)),
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
              ['Ready', count(ready)],
              ['Running', count(running)],
              ['Done', count(done)],
            ]
      }
      doors={<OpenButton path="/ringmaster" title="Ringmaster" />}
    >
      {workspaces?.length === 0 && (
        <Beginning command='ringmaster init --name "My project"'>
          No projects yet. Run this in a project directory:
        </Beginning>
      )}
      <ul className="grid gap-1">
        {workspaces?.slice(0, SHOWN).map((workspace) => (
          <li key={workspace.id}>
            <WorkspaceLine workspace={workspace} />
          </li>
        ))}
      </ul>
      {workspaces !== undefined && workspaces.length > SHOWN && (
        <p className="mt-1 text-[13px] text-muted">{count(workspaces.length - SHOWN, 'more project')}</p>
      )}
    </Tile>
  );
}

interface Figures {
  readonly ready: number;
  readonly running: number;
  readonly tasks: Readonly<Record<string, number>>;
}

function summed(all: readonly (Figures | undefined)[]): { ready: number; running: number; done: number } {
  const sum = (value: (figures: Figures) => number): number =>
    all.reduce((before, each) => before + (each === undefined ? 0 : value(each)), 0);
  return {
    ready: sum((each) => each.ready),
    running: sum((each) => each.running),
    done: sum(({ tasks }) => tasks['done'] ?? 0),
  };
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
