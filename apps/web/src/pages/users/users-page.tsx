import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { usersApi } from '../../api/clients.ts';
import { usersQuery } from '../../api/queries.ts';
import type { User } from '../../api/types.ts';
import { useAction } from '../../api/use-action.ts';
import { messageOf } from '../../lib/error-reason.ts';
import { useMay } from '../../lib/permissions.ts';
import { Badge, Tag } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { timeColumn } from '../../ui/columns.tsx';
import { ConfirmButton, FormDialog } from '../../ui/dialog.tsx';
import { Choice, Field } from '../../ui/field.tsx';
import { Card, Loaded, Page } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { type Role, roleOf, roles } from './roles.ts';

export function Component(): ReactNode {
  const users = useQuery(usersQuery);
  const mayChange = useMay('users:admin');
  const [isAdding, setAdding] = useState(false);
  const [edited, setEdited] = useState<User>();
  return (
    <Page
      title="Users"
      description="Users of this server and their roles."
      actions={
        mayChange && (
          <Button variant="primary" icon={Plus} onClick={() => setAdding(true)}>
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
              columns={mayChange ? [...userColumns, editColumn(setEdited)] : userColumns}
              keyOf={({ id }) => id}
            />
          )}
        </Loaded>
      </Card>
      {isAdding && <AddUserDialog onClose={() => setAdding(false)} />}
      {edited !== undefined && <EditUserDialog user={edited} onClose={() => setEdited(undefined)} />}
    </Page>
  );
}

const userColumns: readonly Column<User>[] = [
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
    sortBy: (user) => user.roles.join(' '),
    cell: (user) => (
      <span className="flex flex-wrap gap-1">
        {user.roles.map((role) => (
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
  timeColumn('Added', ({ created_at: at }) => at, { isOptional: true }),
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

/** Codes of the errors that a field shows. */
const atName = ['USERNAME_INVALID', 'USERNAME_TAKEN'] as const;
const atEmail = ['EMAIL_INVALID', 'EMAIL_TAKEN'] as const;
const atPassword = ['PASSWORD_WEAK', 'PASSWORD_UNUSABLE'] as const;

function AddUserDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [username, setUsername] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [role, setRole] = useState<Role>('user');
  const add = useAction({
    failed: 'Could not add the user',
    atField: [...atName, ...atEmail, ...atPassword],
    done: () => `Added ${username}`,
    touches: ['accounts'],
    run: async () => {
      const body = { username, password, roles: [role], email: email === '' ? null : email };
      await usersApi.POST('/', { body });
      onClose();
    },
  });
  return (
    <FormDialog
      title="Add user"
      action="Add user"
      isBusy={add.isPending}
      onSubmit={() => add.mutate()}
      onClose={onClose}
    >
      <Field
        label="User name"
        required
        autoCapitalize="none"
        error={messageOf(add.error, ...atName)}
        value={username}
        onChange={setUsername}
      />
      <Field
        label="E-mail (optional)"
        type="email"
        error={messageOf(add.error, ...atEmail)}
        value={email}
        onChange={setEmail}
      />
      <Field
        label="Initial password"
        type="password"
        required
        autoComplete="new-password"
        help="At least 12 characters. The user can change it on the Account page."
        error={messageOf(add.error, ...atPassword)}
        value={password}
        onChange={setPassword}
      />
      <Choice label="Role" value={role} options={roles} onChange={setRole} />
    </FormDialog>
  );
}

interface EditUserDialogProps {
  readonly user: User;
  readonly onClose: () => void;
}

const states = [
  { value: 'active', label: 'Active' },
  { value: 'disabled', label: 'Disabled: cannot sign in or use tokens' },
] as const;

/** Sends only changed fields, so that two administrators do not overwrite each other's changes. */
function EditUserDialog({ user, onClose }: EditUserDialogProps): ReactNode {
  const [role, setRole] = useState<Role>(roleOf(user.roles));
  const [status, setStatus] = useState(user.status);
  const [password, setPassword] = useState('');
  const save = useAction({
    failed: `Could not change ${user.username}`,
    atField: atPassword,
    done: () => `Saved ${user.username}`,
    touches: ['accounts'],
    run: async () => {
      const body = {
        ...(role === roleOf(user.roles) ? {} : { roles: [role] }),
        ...(status === user.status ? {} : { status }),
        ...(password === '' ? {} : { password }),
      };
      await usersApi.PATCH('/{user}', { params: { user: user.id }, body });
      onClose();
    },
  });
  return (
    <FormDialog
      title={user.username}
      action="Save changes"
      isBusy={save.isPending}
      onSubmit={() => save.mutate()}
      onClose={onClose}
      buttons={<RemoveUser user={user} onDone={onClose} />}
    >
      <Choice label="Role" value={role} options={roles} onChange={setRole} />
      <Choice label="Status" value={status} options={states} onChange={setStatus} />
      <Field
        label="New password"
        type="password"
        autoComplete="new-password"
        help="Leave empty to keep the current password. A new password signs the user out everywhere."
        error={messageOf(save.error, ...atPassword)}
        value={password}
        onChange={setPassword}
      />
    </FormDialog>
  );
}

function RemoveUser({ user, onDone }: { readonly user: User; readonly onDone: () => void }): ReactNode {
  const remove = useAction({
    failed: `Could not remove ${user.username}`,
    done: () => `Removed ${user.username}`,
    touches: ['accounts'],
    run: async () => {
      await usersApi.DELETE('/{user}', { params: { user: user.id } });
      onDone();
    },
  });
  return (
    <ConfirmButton
      variant="danger"
      title={`Remove ${user.username}?`}
      action="Remove user"
      mutation={remove}
      explanation={
        <>
          <p>This also deletes their sessions and tokens. To keep those, disable the user instead.</p>
          <p>To undo this, restore the accounts database to an earlier revision on the System page.</p>
        </>
      }
    >
      Remove …
    </ConfirmButton>
  );
}
