import { useQuery } from '@tanstack/react-query';
import { Cpu } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { ringmasterApi } from '../../api/clients.ts';
import { outputQuery, queueQuery, workersQuery } from '../../api/ringmaster-queries.ts';
import type { RingWorker, Workspace } from '../../api/types.ts';
import { useAction } from '../../api/use-action.ts';
import { useFilters } from '../../lib/filters.ts';
import { dollars, duration, percent } from '../../lib/format.ts';
import { useMay } from '../../lib/permissions.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { numberColumn } from '../../ui/columns.tsx';
import { Card, EmptyState, Loaded } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { LiveLog } from './task/work.tsx';
import { RunningRow, StopButton } from './widgets.tsx';

/** Polls, because the workspace's stream is paused while the page follows the output. */
const PACE = { refetchInterval: 2_000 } as const;

export function WorkersView({ workspace }: { readonly workspace: Workspace }): ReactNode {
  const workers = useQuery({ ...workersQuery(workspace.id), ...PACE });
  return (
    <Loaded query={workers}>
      {(all) =>
        all.length === 0 ? (
          <Card isFlush>
            <NoWorkers />
          </Card>
        ) : (
          <Shown workspace={workspace.id} workers={all} />
        )
      }
    </Loaded>
  );
}

function Shown({
  workspace,
  workers,
}: {
  readonly workspace: string;
  readonly workers: readonly RingWorker[];
}): ReactNode {
  const [{ output }, change] = useFilters();
  const { data: queue = [] } = useQuery({ ...queueQuery(workspace), ...PACE });
  const { data: tails = [] } = useQuery({ ...outputQuery(workspace), ...PACE });
  const running = queue.filter(({ assigned_at: at }) => at !== null);
  // Follows the first running task, and stays with it when others start.
  const [first, setFirst] = useState<string>();
  if (first === undefined && running[0] !== undefined) setFirst(running[0].task_id);
  const followed = output ?? first;
  const title = running.find(({ task_id: id }) => id === followed)?.title ?? followed;
  return (
    <>
      <Card
        title="Running now"
        description="The latest output of each worker. Select a worker to follow its output below."
        isFlush
      >
        {running.length === 0 ? (
          <p className="border-t border-line px-5 py-4 text-muted">
            Nothing running. “Start workers” above gives ready tasks to the workers below.
          </p>
        ) : (
          <ul className="max-h-[34rem] divide-y divide-line overflow-y-auto border-t border-line">
            {running.map((entry) => (
              <li key={entry.task_id} className={entry.task_id === followed ? 'bg-accent-soft' : ''}>
                <RunningRow workspace={workspace} entry={entry}>
                  <div className="flex gap-2">
                    <Button
                      size="small"
                      aria-label={`Output of ${entry.title}`}
                      aria-pressed={entry.task_id === followed}
                      onClick={() => change({ output: entry.task_id })}
                    >
                      Show output
                    </Button>
                    <StopButton workspace={workspace} id={entry.task_id} title={entry.title} />
                  </div>
                </RunningRow>
                <Tail lines={tails.find(({ task_id: id }) => id === entry.task_id)?.lines ?? []} />
              </li>
            ))}
          </ul>
        )}
      </Card>
      {followed !== undefined && (
        <Card title="Output" description={<bdi>{title}</bdi>} isFlush>
          <div className="border-t border-line">
            <LiveLog
              key={followed}
              workspace={workspace}
              id={followed}
              attempt={undefined}
              label={`Output of ${followed}`}
            />
          </div>
        </Card>
      )}
      <Card title="Workers" description="Workers defined in ringmaster.toml and their results." isFlush>
        <WorkerTable workspace={workspace} workers={workers} />
      </Card>
    </>
  );
}

function Tail({ lines }: { readonly lines: readonly string[] }): ReactNode {
  if (lines.length === 0) return null;
  return (
    <pre className="overflow-hidden px-5 pb-2 font-mono text-xs text-ellipsis whitespace-pre text-muted" dir="auto">
      {lines.join('\n')}
    </pre>
  );
}

function NoWorkers(): ReactNode {
  return (
    <EmptyState icon={Cpu} title="No workers yet">
      <p>
        Define one as <code className="font-mono text-[13px]">[[workers]]</code> in ringmaster.toml, then choose “Start
        workers” above.
      </p>
    </EmptyState>
  );
}

interface WorkerTableProps {
  readonly workspace: string;
  readonly workers: readonly RingWorker[];
}

const facts: readonly Column<RingWorker>[] = [
  {
    title: 'Worker',
    sortBy: ({ name }) => name,
    cell: ({ name, type }) => (
      <div className="grid">
        <span className="font-medium break-all">{name}</span>
        <span className="text-[13px] text-muted">{type}</span>
      </div>
    ),
  },
  { title: 'Status', sortBy: (worker) => stateOf(worker).word, cell: (worker) => <State worker={worker} /> },
  {
    title: 'Running',
    align: 'right',
    sortBy: ({ running }) => running,
    cell: ({ running, max_concurrent: most }) => `${running} of ${most}`,
  },
  numberColumn('Done', ({ succeeded }) => succeeded),
  numberColumn('Success rate', ({ success_rate: rate }) => rate, percent, { isOptional: true }),
  numberColumn('Average duration', ({ average_seconds: seconds }) => seconds, duration, { isOptional: true }),
  numberColumn('Cost', ({ cost_usd: cost }) => cost, dollars, { isOptional: true }),
];

function WorkerTable({ workspace, workers }: WorkerTableProps): ReactNode {
  const mayChange = useMay('app:ringmaster:write');
  const pause = useAction({
    failed: 'Could not change the worker',
    done: ({ worker, paused }) => `${paused ? 'Paused' : 'Resumed'} ${worker}`,
    touches: ['ringmaster'],
    async run({ id, paused }: { readonly id: string; readonly paused: boolean }) {
      await ringmasterApi.PUT('/workspaces/{workspace}/workers/{worker}/paused', {
        params: { workspace, worker: id },
        body: { paused },
      });
      return { worker: id, paused };
    },
  });
  const columns: readonly Column<RingWorker>[] = [
    ...facts,
    {
      title: 'Pause',
      align: 'right',
      isTitleHidden: true,
      cell: ({ id, name, paused_at: at }) =>
        mayChange && (
          <Button
            size="small"
            aria-label={`${at === null ? 'Pause' : 'Resume'} ${name}`}
            onClick={() => pause.mutate({ id, paused: at === null })}
          >
            {at === null ? 'Pause' : 'Resume'}
          </Button>
        ),
    },
  ];
  return <Table label="Worker list" rows={workers} columns={columns} keyOf={({ id }) => id} />;
}

function State({ worker }: { readonly worker: RingWorker }): ReactNode {
  const { tone, word } = stateOf(worker);
  return (
    <div className="grid justify-items-start gap-1">
      <Badge tone={tone}>{word}</Badge>
      {worker.parked_reason !== null && (
        <span className="max-w-80 text-[13px] break-words text-muted">{worker.parked_reason}</span>
      )}
    </div>
  );
}

const parkedWords: Readonly<Record<NonNullable<RingWorker['parked_kind']>, string>> = {
  rate_limited: 'Rate limited',
  overloaded: 'Overloaded',
  unreachable: 'Service unreachable',
  logged_out: 'Logged out',
  no_credit: 'No credit',
  not_started: 'Cannot start',
  missing: 'Not found',
};

function stateOf({ status, paused_at: paused, parked_kind: parked, running }: RingWorker): {
  readonly tone: Tone;
  readonly word: string;
} {
  if (paused !== null) return { tone: 'paused', word: 'Paused' };
  if (parked !== null) return { tone: 'warn', word: parkedWords[parked] };
  if (running > 0) return { tone: 'busy', word: 'Working' };
  return status === 'offline' ? { tone: 'neutral', word: 'Offline' } : { tone: 'open', word: 'Idle' };
}
