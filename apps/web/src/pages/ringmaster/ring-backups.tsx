import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { ringmasterApi } from '../../api/clients.ts';
import { ringBackupsQuery } from '../../api/ringmaster-queries.ts';
import { useAction } from '../../api/use-action.ts';
import { byteSize } from '../../lib/format.ts';
import { useMay } from '../../lib/permissions.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Command } from '../../ui/copy-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

interface Backup {
  readonly created_at: string;
  readonly revision: number;
  readonly oldest_revision: number;
  readonly bytes: number;
}

const columns: readonly Column<Backup>[] = [
  { title: 'Created', sortBy: ({ created_at: at }) => at, cell: ({ created_at: at }) => <Time at={at} /> },
  {
    title: 'Revisions',
    isOptional: true,
    cell: ({ revision, oldest_revision: oldest }) => (
      <span className="tabular-nums">
        #{oldest} to #{revision}
      </span>
    ),
  },
  {
    title: 'Size',
    align: 'right',
    isOptional: true,
    sortBy: ({ bytes }) => bytes,
    cell: ({ bytes }) => byteSize(bytes),
  },
  { title: 'Restore', cell: ({ created_at: at }) => <Command text={`ringmaster restore --at ${at}`} /> },
];

/** Restoring replaces data that workers use, so it is done in a terminal while nothing runs. */
export function RingBackups({ workspace }: { readonly workspace: string }): ReactNode {
  const backups = useQuery(ringBackupsQuery(workspace));
  return (
    <Card
      title="Restore points"
      description="Restore a backup in the project directory while no worker runs."
      actions={<BackUpNow workspace={workspace} />}
      isFlush
    >
      <Loaded query={backups}>
        {(all) =>
          all.length === 0 ? (
            <div className="grid gap-3 border-t border-line px-5 py-4 text-muted">
              <p>No backups yet. One is created every hour while workers run, or create one now.</p>
            </div>
          ) : (
            <Table
              label="Restore points"
              rows={all.toReversed()}
              columns={columns}
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
