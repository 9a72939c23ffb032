import { useQuery } from '@tanstack/react-query';
import { ChartLine } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';

import { ringmasterApi } from '../../api/clients.ts';
import { metricsQuery, ringBackupsQuery } from '../../api/ringmaster-queries.ts';
import type { DayMetrics, Workspace } from '../../api/types.ts';
import { useAction } from '../../api/use-action.ts';
import { byteSize, count, dayText, dollars, duration, percent } from '../../lib/format.ts';
import { useMay } from '../../lib/permissions.ts';
import { Button, Command } from '../../ui/button.tsx';
import { numberColumn, timeColumn } from '../../ui/columns.tsx';
import { Card, EmptyState, Loaded } from '../../ui/page.tsx';
import { Plot } from '../../ui/plot.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { everyDay } from './daily-series.ts';

const whole = (value: number): string => (Number.isInteger(value) ? count(value) : '');
const dayOf = (seconds: number): string => dayText(seconds * 1_000, true);

export function MetricsView({ workspace }: { readonly workspace: Workspace }): ReactNode {
  const metrics = useQuery(metricsQuery(workspace.id));
  return (
    <>
      <Loaded query={metrics}>{(days) => (days.length === 0 ? <NoMetrics /> : <Metrics days={days} />)}</Loaded>
      <RingBackups workspace={workspace.id} />
    </>
  );
}

function NoMetrics(): ReactNode {
  return (
    <Card isFlush>
      <EmptyState icon={ChartLine} title="No metrics yet">
        <p>Metrics appear once a worker has finished a task.</p>
      </EmptyState>
    </Card>
  );
}

const dayColumns: readonly Column<DayMetrics>[] = [
  {
    title: 'Day',
    sortBy: ({ day }) => day,
    cell: ({ day }) => <span className="whitespace-nowrap">{dayText(Date.parse(day))}</span>,
  },
  numberColumn('Succeeded', ({ succeeded }) => succeeded),
  numberColumn('Failed', ({ failed }) => failed),
  numberColumn('Other', ({ other }) => other, count, { isOptional: true }),
  numberColumn('Average duration', ({ average_seconds: seconds }) => seconds, duration, { isOptional: true }),
  numberColumn('Cost', ({ cost_usd: cost }) => cost, dollars),
];

function Metrics({ days }: { readonly days: readonly DayMetrics[] }): ReactNode {
  const { times, done, success, cost } = useMemo(() => everyDay(days), [days]);
  return (
    <>
      <Card title="Metrics" description="Days in UTC. Each number is for the latest day.">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6 md:grid-cols-[repeat(3,minmax(0,1fr))]">
          <Plot title="Tasks done" times={times} values={done} format={whole} formatTime={dayOf} />
          <Plot title="Success rate" times={times} values={success} format={percent} formatTime={dayOf} />
          <Plot title="Cost" times={times} values={cost} format={dollars} formatTime={dayOf} />
        </div>
      </Card>
      <Card title="By day" isFlush>
        <Table label="Metrics by day" rows={days.toReversed()} columns={dayColumns} keyOf={({ day }) => day} />
      </Card>
    </>
  );
}

interface Backup {
  readonly created_at: string;
  readonly revision: number;
  readonly oldest_revision: number;
  readonly bytes: number;
}

const backupColumns: readonly Column<Backup>[] = [
  timeColumn('Created', ({ created_at: at }) => at),
  {
    title: 'Revisions',
    isOptional: true,
    cell: ({ revision, oldest_revision: oldest }) => (
      <span className="tabular-nums">
        #{oldest} to #{revision}
      </span>
    ),
  },
  numberColumn('Size', ({ bytes }) => bytes, byteSize, { isOptional: true }),
  { title: 'Restore', cell: ({ created_at: at }) => <Command text={`ringmaster restore --at ${at}`} /> },
];

/** Lists backups. A restore replaces data that workers use, so users run it in a terminal while no worker runs. */
function RingBackups({ workspace }: { readonly workspace: string }): ReactNode {
  const backups = useQuery(ringBackupsQuery(workspace));
  return (
    <Card
      title="Backups"
      description="To restore a backup, run its command in the project directory while no worker is running."
      actions={<BackUpNow workspace={workspace} />}
      isFlush
    >
      <Loaded query={backups}>
        {(all) =>
          all.length === 0 ? (
            <div className="grid gap-3 border-t border-line px-5 py-4 text-muted">
              <p>No backups yet. While workers run, ringmaster creates one every hour. You can also create one now.</p>
            </div>
          ) : (
            <Table
              label="Backup list"
              rows={all.toReversed()}
              columns={backupColumns}
              keyOf={({ created_at }) => created_at}
            />
          )
        }
      </Loaded>
    </Card>
  );
}

function BackUpNow({ workspace }: { readonly workspace: string }): ReactNode {
  const mayChange = useMay('app:ringmaster:write');
  const make = useAction({
    failed: 'Could not create the backup',
    done: () => 'Backup created and verified',
    touches: ['ringmaster'],
    run: () => ringmasterApi.POST('/workspaces/{workspace}/backups', { params: { workspace } }),
  });
  if (!mayChange) return null;
  return (
    <Button size="small" isBusy={make.isPending} onClick={() => make.mutate()}>
      Back up now
    </Button>
  );
}
