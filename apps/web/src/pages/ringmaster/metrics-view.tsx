import { useQuery } from '@tanstack/react-query';
import { ChartLine } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';

import type { DayMetrics, Workspace } from '../../api/types.ts';
import { metricsQuery } from '../../api/ringmaster-queries.ts';
import { count, dayText, dollars, duration, percent } from '../../lib/format.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Plot } from '../../ui/plot.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { everyDay } from './daily-series.ts';
import { RingBackups } from './ring-backups.tsx';

const whole = (value: number): string => (Number.isInteger(value) ? count(value) : '');
const dayOf = (seconds: number): string => dayText(seconds * 1_000, true);

/** Daily metrics, and backups to restore. */
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

const columns: readonly Column<DayMetrics>[] = [
  {
    title: 'Day',
    sortBy: ({ day }) => day,
    cell: ({ day }) => <span className="whitespace-nowrap">{dayText(Date.parse(day))}</span>,
  },
  {
    title: 'Succeeded',
    align: 'right',
    sortBy: ({ succeeded }) => succeeded,
    cell: ({ succeeded }) => count(succeeded),
  },
  { title: 'Failed', align: 'right', sortBy: ({ failed }) => failed, cell: ({ failed }) => count(failed) },
  { title: 'Other', align: 'right', isOptional: true, sortBy: ({ other }) => other, cell: ({ other }) => count(other) },
  {
    title: 'Average duration',
    align: 'right',
    isOptional: true,
    sortBy: ({ average_seconds: seconds }) => seconds,
    cell: ({ average_seconds: seconds }) => (seconds === null ? '–' : duration(seconds)),
  },
  {
    title: 'Cost',
    align: 'right',
    sortBy: ({ cost_usd: cost }) => cost,
    cell: ({ cost_usd: cost }) => (cost === null ? '–' : dollars(cost)),
  },
];

function Metrics({ days }: { readonly days: readonly DayMetrics[] }): ReactNode {
  const { times, done, success, cost } = useMemo(() => everyDay(days), [days]);
  return (
    <>
      <Card title="Metrics" description="Days in UTC. The number is the latest day.">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6 md:grid-cols-[repeat(3,minmax(0,1fr))]">
          <Plot title="Tasks done" times={times} values={done} format={whole} formatTime={dayOf} />
          <Plot title="Success rate" times={times} values={success} format={percent} formatTime={dayOf} />
          <Plot title="Cost" times={times} values={cost} format={dollars} formatTime={dayOf} />
        </div>
      </Card>
      <Card title="By day" isFlush>
        <Table label="Metrics by day" rows={days.toReversed()} columns={columns} keyOf={({ day }) => day} />
      </Card>
    </>
  );
}
