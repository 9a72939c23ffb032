import { useQueries, useQuery } from '@tanstack/react-query';
import { Archive, Download, Undo2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { systemApi } from '../../api/clients.ts';
import { backupsQuery, commitsQuery } from '../../api/queries.ts';
import type { Commit, DatabaseName, DatabaseState } from '../../api/types.ts';
import { useAction } from '../../api/use-action.ts';
import { byteSize, count, exactTime } from '../../lib/format.ts';
import { useMay } from '../../lib/permissions.ts';
import { Tag } from '../../ui/badge.tsx';
import { Button, Command } from '../../ui/button.tsx';
import { numberColumn, timeColumn } from '../../ui/columns.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Choice } from '../../ui/field.tsx';
import { Card, EmptyState, Loaded, NotLoaded } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';

interface Row {
  readonly name: DatabaseName;
  readonly file: string;
  readonly revision: number;
  readonly oldest_revision: number;
  readonly created_at: string;
  readonly bytes: number;
}

const backupColumns: readonly Column<Row>[] = [
  { title: 'Database', sortBy: ({ name }) => name, cell: ({ name }) => <Tag>{name}</Tag> },
  timeColumn('Created', ({ created_at: at }) => at),
  {
    title: 'Revisions',
    sortBy: ({ revision }) => revision,
    align: 'right',
    cell: ({ oldest_revision: oldest, revision }) => `#${count(Math.max(0, oldest - 1))} – #${count(revision)}`,
  },
  numberColumn('Size', ({ bytes }) => bytes, byteSize),
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
      description="Stored in the backups folder in the data home. Each backup includes the history."
      isFlush
      actions={mayMake && names.length > 0 && <BackUpNow names={names} />}
    >
      {rows.length === 0 && missing !== undefined ? (
        <NotLoaded query={missing} />
      ) : rows.length === 0 ? (
        <EmptyState icon={Archive} title="No backups yet">
          <p>Backups are made without downtime and verified.{mayMake && ' Create the first one above.'}</p>
        </EmptyState>
      ) : (
        <Table label="Backup list" rows={rows} columns={backupColumns} keyOf={({ file }) => file} />
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
      <Button variant="primary" icon={Download} isBusy={backUp.isPending} onClick={() => backUp.mutate()}>
        Back up now
      </Button>
    </div>
  );
}

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
    timeColumn('Committed', ({ at }) => at),
    numberColumn('Changes', ({ total }) => total, count, { isOptional: true }),
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
              icon={Undo2}
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
            label="Restore point list"
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

interface RestoreDialogProps {
  readonly name: DatabaseName;
  readonly target: Commit | undefined;
  readonly current: number;
  readonly onClose: () => void;
}

function RestoreDialog({ name, target, current, onClose }: RestoreDialogProps): ReactNode {
  const revision = target?.revision ?? 0;
  const restore = useAction<void, { readonly changed: number; readonly undo_with: number }>({
    failed: `Could not restore ${name}`,
    touches: ['database', 'databases'],
    done: ({ changed, undo_with: undo }) =>
      `Restored ${name} to revision ${revision} (${count(changed, 'change')}). To undo, restore revision ${undo}.`,
    run: async () => {
      const { data } = await systemApi.POST('/databases/{database}/restore', {
        params: { database: name },
        body: { revision },
      });
      onClose();
      return data;
    },
  });
  return (
    <Confirm
      title={`Restore ${name} to revision ${revision}?`}
      action="Restore database"
      isOpen={target !== undefined}
      isBusy={restore.isPending}
      onConfirm={() => restore.mutate()}
      onClose={onClose}
    >
      <p>
        Restores <strong>{name}</strong> as of {target === undefined ? '' : exactTime(Date.parse(target.at))} and
        reverts {count(Math.max(0, current - revision), 'later commit')}.
      </p>
      <p>
        Nothing is lost: restoring adds a commit, and programs keep running. To undo it, restore revision{' '}
        {count(current)}, or run:
      </p>
      <Command text={`holdfast restore ${name} --at ${current}`} />
      {name === 'accounts' && (
        <p className="rounded-lg bg-warn-soft p-3 text-warn">
          This database holds users and sessions. You may be signed out, and tokens that were created after this
          revision will stop working.
        </p>
      )}
    </Confirm>
  );
}
