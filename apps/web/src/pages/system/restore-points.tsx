import { useQuery } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { commitsQuery } from '../../api/queries.ts';
import type { Commit, DatabaseName, DatabaseState } from '../../api/types.ts';
import { count } from '../../lib/format.ts';
import { useMay } from '../../lib/permissions.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Choice } from '../../ui/field.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { RestoreDialog } from './restore-dialog.tsx';

const SHOWN = 10;

export function RestorePoints({ databases }: { readonly databases: readonly DatabaseState[] }): ReactNode {
  const names = databases.map(({ name }) => name);
  const [picked, setPicked] = useState<DatabaseName>();
  const name = picked ?? names.find((each) => each !== 'accounts') ?? names[0];
  if (name === undefined) return null;
  return (
    <Card
      title="Restore points"
      description="Restore a database to any of these commits."
      isFlush
      actions={
        <div className="w-40">
          <Choice
            label="Database to restore"
            isLabelHidden
            value={name}
            options={names.map((each) => ({ value: each, label: each }))}
            onChange={setPicked}
          />
        </div>
      }
    >
      <Points key={name} name={name} revision={databases.find((each) => each.name === name)?.revision ?? 0} />
    </Card>
  );
}

function Points({ name, revision }: { readonly name: DatabaseName; readonly revision: number }): ReactNode {
  const commits = useQuery(commitsQuery(name));
  const mayRestore = useMay('system:admin');
  const [target, setTarget] = useState<Commit>();
  const columns: readonly Column<Commit>[] = [
    { title: 'Revision', cell: (commit) => <span className="font-medium tabular-nums">#{commit.revision}</span> },
    { title: 'Committed', cell: ({ at }) => <Time at={at} /> },
    { title: 'Changes', align: 'right', isOptional: true, cell: ({ total }) => count(total) },
    {
      title: 'First key',
      isOptional: true,
      cell: ({ changes, note }) => (
        <span className="block max-w-xs truncate font-mono text-xs text-muted">{note ?? changes[0]?.key}</span>
      ),
    },
    {
      title: 'Restore',
      align: 'right',
      isTitleHidden: true,
      cell: (commit) =>
        commit.revision >= revision ? (
          <span className="text-[13px] text-muted">current</span>
        ) : (
          mayRestore && (
            <Button
              size="small"
              aria-label={`Restore ${name} to revision ${commit.revision}`}
              icon={<Undo2 className="size-3.5" aria-hidden />}
              onClick={() => setTarget(commit)}
            >
              Restore
            </Button>
          )
        ),
    },
  ];
  return (
    <Loaded query={commits}>
      {(all) => (
        <>
          <Table
            label="Restore points"
            rows={all.slice(0, SHOWN)}
            columns={columns}
            keyOf={(commit) => String(commit.revision)}
          />
          <RestoreDialog name={name} target={target} current={revision} onClose={() => setTarget(undefined)} />
        </>
      )}
    </Loaded>
  );
}
