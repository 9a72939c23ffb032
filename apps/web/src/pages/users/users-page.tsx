import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { usersQuery } from '../../api/queries.ts';
import type { User } from '../../api/types.ts';
import { useMay } from '../../lib/permissions.ts';
import { Badge, Tag } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { AddUserDialog } from './add-user-dialog.tsx';
import { AuditCard } from './audit-card.tsx';
import { EditUserDialog } from './edit-user-dialog.tsx';

export function Component(): ReactNode {
  const users = useQuery(usersQuery);
  const mayChange = useMay('users:admin');
  const [isAdding, setAdding] = useState(false);
  const [edited, setEdited] = useState<User>();
  return (
    <Page
      title="Users"
      description="Who can use this server, and their roles."
      actions={
        mayChange && (
          <Button variant="primary" icon={<Plus className="size-4" aria-hidden />} onClick={() => setAdding(true)}>
            Add user
          </Button>
        )
      }
    >
      <Card isFlush>
        <Loaded query={users}>
          {(all) => (
            <Table
              label="Users"
              rows={all}
              columns={mayChange ? [...columns, editColumn(setEdited)] : columns}
              keyOf={({ id }) => id}
            />
          )}
        </Loaded>
      </Card>
      <AuditCard />
      {isAdding && <AddUserDialog onClose={() => setAdding(false)} />}
      {edited !== undefined && <EditUserDialog user={edited} onClose={() => setEdited(undefined)} />}
    </Page>
  );
}

const columns: readonly Column<User>[] = [
  {
    title: 'Name',
    sortBy: ({ username }) => username,
    cell: ({ username, email }) => (
      <span className="grid">
        <span className="font-medium break-all">{username}</span>
        {email !== null && <span className="text-[13px] break-all text-muted">{email}</span>}
      </span>
    ),
  },
  {
    title: 'Roles',
    sortBy: ({ roles }) => roles.join(' '),
    cell: ({ roles }) => (
      <span className="flex flex-wrap gap-1">
        {roles.map((role) => (
          <Tag key={role}>{role}</Tag>
        ))}
      </span>
    ),
  },
  {
    title: 'Status',
    sortBy: ({ status }) => status,
    cell: ({ status }) =>
      status === 'active' ? <Badge tone="good">Active</Badge> : <Badge tone="paused">Disabled</Badge>,
  },
  {
    title: 'Added',
    isOptional: true,
    sortBy: ({ created_at: at }) => at,
    cell: ({ created_at: at }) => <Time at={at} />,
  },
];

function editColumn(onEdit: (user: User) => void): Column<User> {
  return {
    title: 'Manage',
    isTitleHidden: true,
    align: 'right',
    cell: (user) => (
      <Button size="small" aria-label={`Manage ${user.username}`} onClick={() => onEdit(user)}>
        Manage
      </Button>
    ),
  };
}
