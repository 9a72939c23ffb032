import { type ReactNode, useState } from 'react';

import { usersApi } from '../../api/clients.ts';
import type { User } from '../../api/types.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Choice, Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { RemoveUser } from './remove-user.tsx';
import { type Role, roleOf, roles } from './roles.ts';

interface EditUserDialogProps {
  readonly user: User;
  readonly onClose: () => void;
}

const states = [
  { value: 'active', label: 'Active' },
  { value: 'disabled', label: 'Disabled: cannot sign in, tokens do not work' },
] as const;

/** Only what was changed is sent, so that two administrators do not undo each other's work. */
export function EditUserDialog({ user, onClose }: EditUserDialogProps): ReactNode {
  const [role, setRole] = useState<Role>(roleOf(user.roles));
  const [status, setStatus] = useState(user.status);
  const [password, setPassword] = useState('');
  const save = useAction({
    failed: `${user.username} was not changed`,
    done: () => `${user.username} was changed`,
    touches: ['accounts'],
    run: async () => {
      const body = {
        ...(role === roleOf(user.roles) ? {} : { roles: [role] }),
        ...(status === user.status ? {} : { status }),
        ...(password === '' ? {} : { password }),
      };
      await usersApi.PATCH('/{id}', { params: { id: user.id }, body });
      onClose();
    },
  });
  return (
    <Dialog title={user.username} description="Role, state and password of this user." isOpen onClose={onClose}>
      <Form autoComplete="off" onSubmit={() => save.mutate()}>
        <Choice label="Role" value={role} options={roles} onChange={setRole} />
        <Choice label="State" value={status} options={states} onChange={setStatus} />
        <Field
          label="New password"
          type="password"
          autoComplete="new-password"
          help="Leave it empty to keep the one they have. A new one ends all their sessions."
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
        <DialogActions>
          <RemoveUser user={user} onDone={onClose} />
          <span className="flex-1" />
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={save.isPending}>
            Save
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
