import { useQueries } from '@tanstack/react-query';
import { Archive, Download } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { systemApi } from '../../api/clients.ts';
import { backupsQuery } from '../../api/queries.ts';
import type { DatabaseName } from '../../api/types.ts';
import { useAction } from '../../api/use-action.ts';
import { byteSize, count } from '../../lib/format.ts';
import { useMay } from '../../lib/permissions.ts';
import { Tag } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Choice } from '../../ui/field.tsx';
import { NotLoaded } from '../../ui/loaded.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

interface Row {
  readonly name: DatabaseName;
  readonly file: string;
  readonly revision: number;
  readonly oldest_revision: number;
  readonly created_at: string;
  readonly bytes: number;
}

const columns: readonly Column<Row>[] = [
  { title: 'Database', sortBy: ({ name }) => name, cell: ({ name }) => <Tag>{name}</Tag> },
  { title: 'Created', sortBy: ({ created_at: at }) => at, cell: ({ created_at: at }) => <Time at={at} /> },
  {
    title: 'Revisions',
    sortBy: ({ revision }) => revision,
    align: 'right',
    cell: ({ oldest_revision: oldest, revision }) => `#${count(Math.max(0, oldest - 1))} – #${count(revision)}`,
  },
  { title: 'Size', align: 'right', sortBy: ({ bytes }) => bytes, cell: ({ bytes }) => byteSize(bytes) },
  {
    title: 'File',
    isOptional: true,
    sortBy: ({ file }) => file,
    cell: ({ file }) => <span className="font-mono text-xs">{file}</span>,
  },
];

export function Backups({ names }: { readonly names: readonly DatabaseName[] }): ReactNode {
  const read = useQueries({ queries: names.map((name) => backupsQuery(name)) });
  const rows = read
    .flatMap(({ data = [] }, at) => data.map((backup) => ({ ...backup, name: names[at] ?? 'accounts' })))
    .sort((left, right) => Date.parse(right.created_at) - Date.parse(left.created_at));
  const mayMake = useMay('system:admin');
  const missing = read.find(({ data }) => data === undefined);
  return (
    <Card
      title="Backups"
      description="Stored in the backups folder of the data directory. Each includes the history."
      isFlush
      actions={mayMake && names.length > 0 && <BackUpNow names={names} />}
    >
      {rows.length === 0 && missing !== undefined ? (
        <NotLoaded query={missing} />
      ) : rows.length === 0 ? (
        <EmptyState icon={Archive} title="No backups yet">
          <p>Backups run while everything stays online, and are verified. Create the first one above.</p>
        </EmptyState>
      ) : (
        <Table label="Backups" rows={rows} columns={columns} keyOf={({ file }) => file} />
      )}
    </Card>
  );
}

function BackUpNow({ names }: { readonly names: readonly DatabaseName[] }): ReactNode {
  const [chosen, setChosen] = useState<string>('');
  const backUp = useAction<void, readonly string[]>({
    failed: 'Could not create the backup',
    touches: ['backups'],
    done: (files) => `Backed up: ${files.join(', ')}`,
    run: async () => {
      const files: string[] = [];
      for (const name of names.filter((each) => chosen === '' || each === chosen)) {
        const { data } = await systemApi.POST('/databases/{database}/backups', { params: { database: name } });
        files.push(data.file);
      }
      return files;
    },
  });
  return (
    <div className="flex gap-2">
      <Choice
        label="What to back up"
        isLabelHidden
        value={chosen}
        options={[
          { value: '', label: 'All databases' },
          ...names.map((name) => ({ value: name as string, label: name })),
        ]}
        onChange={setChosen}
      />
      <Button
        variant="primary"
        icon={<Download className="size-4" aria-hidden />}
        isBusy={backUp.isPending}
        onClick={() => backUp.mutate()}
      >
        Back up now
      </Button>
    </div>
  );
}
