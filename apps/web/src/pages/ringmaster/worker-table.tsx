import type { ReactNode } from 'react';

import { ringmasterApi } from '../../api/clients.ts';
import type { RingWorker } from '../../api/types.ts';
import { useAction } from '../../api/use-action.ts';
import { count, dollars, duration, percent } from '../../lib/format.ts';
import { useMay } from '../../lib/permissions.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { type Column, Table } from '../../ui/table.tsx';

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
  { title: 'Done', align: 'right', sortBy: ({ succeeded }) => succeeded, cell: ({ succeeded }) => count(succeeded) },
  {
    title: 'Success rate',
    align: 'right',
    isOptional: true,
    sortBy: ({ success_rate: rate }) => rate,
    cell: ({ success_rate: rate }) => (rate === null ? '–' : percent(rate)),
  },
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
    isOptional: true,
    sortBy: ({ cost_usd: cost }) => cost,
    cell: ({ cost_usd: cost }) => (cost === null ? '–' : dollars(cost)),
  },
];

export function WorkerTable({ workspace, workers }: WorkerTableProps): ReactNode {
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
  return <Table label="Workers" rows={workers} columns={columns} keyOf={({ id }) => id} />;
}

function State({ worker }: { readonly worker: RingWorker }): ReactNode {
  const { tone, word } = stateOf(worker);
  return <Badge tone={tone}>{word}</Badge>;
}

function stateOf({ status, paused_at: paused, parked_until: parked, running }: RingWorker): {
  readonly tone: Tone;
  readonly word: string;
} {
  if (paused !== null) return { tone: 'paused', word: 'Paused' };
  if (parked !== null && Date.parse(parked) > Date.now()) return { tone: 'warn', word: 'Rate limited' };
  if (running > 0) return { tone: 'busy', word: 'Working' };
  return status === 'offline' ? { tone: 'neutral', word: 'Offline' } : { tone: 'open', word: 'Idle' };
}
