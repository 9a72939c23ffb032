import { type ReactNode, useState } from 'react';

import { usersApi } from '../../api/clients.ts';
import type { User } from '../../api/types.ts';
import { useAction } from '../../api/use-action.ts';
import { ConfirmButton } from '../../ui/confirm.tsx';
import { Choice, Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { type Role, roleOf, roles } from './roles.ts';

interface EditUserDialogProps {
  readonly user: User;
  readonly onClose: () => void;
}

const states = [
  { value: 'active', label: 'Active' },
  { value: 'disabled', label: 'Disabled: cannot sign in or use tokens' },
] as const;

/** Sends only changed fields, so that two administrators do not undo each other's work. */
export function EditUserDialog({ user, onClose }: EditUserDialogProps): ReactNode {
  const [role, setRole] = useState<Role>(roleOf(user.roles));
  const [status, setStatus] = useState(user.status);
  const [password, setPassword] = useState('');
  const save = useAction({
    failed: `Could not change ${user.username}`,
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
        help="Leave empty to keep the current password. A new one signs the user out everywhere."
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
