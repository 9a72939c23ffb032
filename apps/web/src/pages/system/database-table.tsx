import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { DatabaseState } from '../../api/types.ts';
import { byteSize, count } from '../../lib/format.ts';
import { Badge, Tag } from '../../ui/badge.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

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
  {
    title: 'Revision',
    sortBy: ({ revision }) => revision,
    align: 'right',
    isOptional: true,
    cell: ({ revision }) => (revision === null ? '–' : count(revision)),
  },
  {
    title: 'Restorable from',
    sortBy: ({ oldest_restorable: oldest }) => oldest,
    align: 'right',
    isOptional: true,
    cell: ({ oldest_restorable: oldest }) => (oldest === null ? '–' : `#${oldest}`),
  },
  { title: 'Size', align: 'right', sortBy: ({ bytes }) => bytes, cell: ({ bytes }) => byteSize(bytes) },
  {
    title: 'Log',
    align: 'right',
    isOptional: true,
    sortBy: ({ log_bytes: bytes }) => bytes,
    cell: ({ log_bytes: bytes }) => byteSize(bytes),
  },
  {
    title: 'Last commit',
    isOptional: true,
    sortBy: ({ last_commit_at: at }) => at,
    cell: ({ last_commit_at: at }) => (at === null ? 'none' : <Time at={at} />),
  },
];

export function DatabaseTable({ databases }: { readonly databases: readonly DatabaseState[] }): ReactNode {
  return <Table label="Databases" rows={databases} columns={columns} keyOf={({ name }) => name} />;
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
