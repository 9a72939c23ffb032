import { type ReactNode, useState } from 'react';

import { usersApi } from '../../api/clients.ts';
import { useAction } from '../../api/use-action.ts';
import { Choice, Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { type Role, roles } from './roles.ts';

export function AddUserDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [username, setUsername] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [role, setRole] = useState<Role>('user');
  const add = useAction({
    failed: 'Could not add the user',
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
      <Field label="User name" required autoCapitalize="none" value={username} onChange={setUsername} />
      <Field label="E-mail (optional)" type="email" value={email} onChange={setEmail} />
      <Field
        label="Initial password"
        type="password"
        required
        autoComplete="new-password"
        help="At least 12 characters. The user can change it on the Account page."
        value={password}
        onChange={setPassword}
      />
      <Choice label="Role" value={role} options={roles} onChange={setRole} />
    </FormDialog>
  );
}
