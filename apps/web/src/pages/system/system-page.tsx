import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';

import { databasesQuery, infoQuery } from '../../api/queries.ts';
import type { DatabaseState, SystemInfo } from '../../api/types.ts';
import { byteSize, count, decimal, duration } from '../../lib/format.ts';
import { createStore, useStore } from '../../lib/store.ts';
import { Badge, Tag } from '../../ui/badge.tsx';
import { numberColumn, timeColumn } from '../../ui/columns.tsx';
import { Card, Loaded, NotLoaded, Page } from '../../ui/page.tsx';
import { Plot } from '../../ui/plot.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Backups, RestorePoints } from './backups.tsx';

export function Component(): ReactNode {
  const databases = useQuery(databasesQuery);
  return (
    <Page title="System" description="Databases, backups, restore points and server load.">
      <Card title="Databases" isFlush>
        <Loaded query={databases}>{(all) => <DatabaseTable databases={all} />}</Loaded>
      </Card>
      <Process />
      <Loaded query={databases}>
        {(all) => {
          const names = all.filter(({ problem }) => problem === null).map(({ name }) => name);
          return (
            <>
              <Backups names={names} />
              <RestorePoints databases={all.filter(({ problem }) => problem === null)} />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

const percent = (value: number): string => `${decimal(value * 100, value < 0.1 ? 1 : 0)} %`;
const perSecond = (value: number): string => `${decimal(value, value < 10 ? 1 : 0)}/s`;

function Process(): ReactNode {
  const { info, samples } = useSamples();
  const { times, memory, cpu, requests } = samples;
  if (info.data === undefined) {
    return (
      <Card title="Server">
        <NotLoaded query={info} lines={6} />
      </Card>
    );
  }
  const { uptime_seconds: uptime, version, node } = info.data;
  return (
    <Card
      title="Server"
      description={`Running for ${duration(uptime)}`}
      actions={
        <div className="flex gap-2">
          <Tag>Holdfast {version}</Tag>
          <Tag>Node {node}</Tag>
        </div>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 md:grid-cols-[repeat(3,minmax(0,1fr))]">
        <Plot title="Memory" times={times} values={memory} format={byteSize} />
        <Plot title="CPU (1 core = 100 %)" times={times} values={cpu} format={percent} />
        <Plot title="Requests" times={times} values={requests} format={perSecond} />
      </div>
    </Card>
  );
}

interface Samples {
  readonly times: readonly number[];
  readonly memory: readonly number[];
  /** CPU time as a fraction of one core. */
  readonly cpu: readonly number[];
  readonly requests: readonly number[];
}

const KEPT = 300;
const none: Samples = { times: [], memory: [], cpu: [], requests: [] };

type Reading = SystemInfo & { readonly requests: number; readonly at: number };

/** Stays in memory while the dashboard is open, so that charts keep their history. */
const history = createStore<{ readonly last: Reading | undefined; readonly samples: Samples }>({
  last: undefined,
  samples: none,
});

function useSamples(): { readonly info: UseQueryResult<Reading>; readonly samples: Samples } {
  const info = useQuery(infoQuery);
  const { data } = info;
  const { samples } = useStore(history);
  useEffect(() => {
    const { last, samples: known } = history.get();
    if (data === undefined || data === last) return;
    history.set({ last: data, samples: added(known, last ?? started(data), data) });
  }, [data]);
  return { info, samples };
}

/**
 * Returns a reading for the time at which the server started, so that the first sample shows the average since then.
 */
function started({ uptime_seconds: seconds, at, ...rest }: Reading): Reading {
  return { ...rest, at: at - seconds * 1_000, uptime_seconds: 0, cpu_seconds: 0, requests: 0 };
}

function added(samples: Samples, last: Reading, next: Reading): Samples {
  const seconds = (next.at - last.at) / 1_000;
  // A restarted server counts from zero again.
  const isSame = next.uptime_seconds >= last.uptime_seconds && seconds > 0;
  if (!isSame) return samples;
  return {
    times: append(samples.times, next.at / 1_000),
    memory: append(samples.memory, next.memory_bytes),
    cpu: append(samples.cpu, Math.max(0, (next.cpu_seconds - last.cpu_seconds) / seconds)),
    requests: append(samples.requests, Math.max(0, (next.requests - last.requests) / seconds)),
  };
}

function append(values: readonly number[], value: number): readonly number[] {
  return [...values, value].slice(-KEPT);
}

const revisionText = (revision: number): string => `#${revision}`;

const columns: readonly Column<DatabaseState>[] = [
  {
    title: 'Name',
    sortBy: ({ name }) => name,
    cell: ({ name, kind }) =>
      kind === 'keyspace' ? (
        <Link to="/keys/$name" params={{ name }} className="font-medium text-accent-strong hover:underline">
          {name}
        </Link>
      ) : (
        <span className="font-medium">{name}</span>
      ),
  },
  { title: 'Status', sortBy: ({ problem }) => problem?.code ?? '', cell: ({ problem }) => <State problem={problem} /> },
  {
    title: 'Kind',
    isOptional: true,
    sortBy: ({ kind }) => kind,
    cell: ({ kind }) => (kind === null ? '' : <Tag>{kind}</Tag>),
  },
  numberColumn('Revision', ({ revision }) => revision, count, { isOptional: true }),
  numberColumn('Restorable from', (database) => database.oldest_restorable, revisionText, { isOptional: true }),
  numberColumn('Size', ({ bytes }) => bytes, byteSize),
  numberColumn('Log', (database) => database.log_bytes, byteSize, { isOptional: true }),
  timeColumn('Last commit', (database) => database.last_commit_at, { isOptional: true, none: 'none' }),
];

function DatabaseTable({ databases }: { readonly databases: readonly DatabaseState[] }): ReactNode {
  return <Table label="Database list" rows={databases} columns={columns} keyOf={({ name }) => name} />;
}

function State({ problem }: Pick<DatabaseState, 'problem'>): ReactNode {
  if (problem === null) return <Badge tone="good">Working</Badge>;
  return (
    <div className="grid max-w-xs gap-1">
      <span>
        <Badge tone="bad">Unavailable</Badge>
      </span>
      <span className="text-[13px]">{problem.message}</span>
      <span className="font-mono text-xs text-muted">{problem.code}</span>
    </div>
  );
}
