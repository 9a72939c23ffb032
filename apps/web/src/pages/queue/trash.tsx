import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';

import { codexApi } from '../../api/clients.ts';
import type { TrashEntry } from '../../api/types.ts';
import { trashQuery } from '../../api/codex-queries.ts';
import { useAction } from '../../api/use-action.ts';
import { count } from '../../lib/format.ts';
import { useMay } from '../../lib/permissions.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

/** Deleted files that can be restored; hidden when there are none. */
export function Trash({ id, name }: { readonly id: string; readonly name: string }): ReactNode {
  const { data: entries = [] } = useQuery(trashQuery(id));
  const mayWrite = useMay('app:codex:write');
  const columns = useMemo(() => columnsFor(id, mayWrite), [id, mayWrite]);
  if (entries.length === 0) return null;
  return (
    <Card
      title={`Trash of ${name}`}
      description="Deleted files can be restored for seven days. Their history is kept forever."
      isFlush
    >
      <div className="max-h-96 overflow-y-auto">
        <Table
          label={`Trash of ${name}`}
          rows={entries}
          columns={columns}
          keyOf={({ event_id: event }) => String(event)}
        />
      </div>
    </Card>
  );
}

function columnsFor(id: string, mayWrite: boolean): readonly Column<TrashEntry>[] {
  const shown: readonly Column<TrashEntry>[] = [
    { title: 'Path', sortBy: ({ path }) => path, cell: ({ path }) => <span className="break-all">{path}</span> },
    {
      title: 'Kind',
      isOptional: true,
      cell: ({ kind, file_count: files }) => (kind === 'file' ? 'File' : `Folder, ${count(files, 'file')}`),
    },
    { title: 'Deleted', sortBy: ({ deleted_at: at }) => at, cell: ({ deleted_at: at }) => <Time at={at} /> },
  ];
  if (!mayWrite) return shown;
  const restore: Column<TrashEntry> = {
    title: 'Restore',
    isTitleHidden: true,
    align: 'right',
    cell: (entry) => <Restore id={id} entry={entry} />,
  };
  return [...shown, restore];
}

function Restore({ id, entry }: { readonly id: string; readonly entry: TrashEntry }): ReactNode {
  const restore = useAction({
    failed: `Could not restore ${entry.path}`,
    done: () => `Restored ${entry.path}`,
    touches: ['codex'],
    async run() {
      const params = { notebook: id, event_id: String(entry.event_id) };
      await codexApi.POST('/notebooks/{notebook}/trash/{event_id}/restore', { params, query: { wait: 30 } });
    },
  });
  return (
    <Button size="small" isBusy={restore.isPending} onClick={() => restore.mutate()}>
      Restore<span className="sr-only"> {entry.path}</span>
    </Button>
  );
}
