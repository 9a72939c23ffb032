import type { ReactNode } from 'react';

import { authApi } from '../../api/clients.ts';
import { EntryForm } from './entry-form.tsx';
import { EntryFrame } from './entry-frame.tsx';

export function SetupForm({ secret }: { readonly secret: string }): ReactNode {
  return (
    <EntryFrame title="Welcome to Holdfast" description="Choose a name and a password. You will own this server.">
      <EntryForm
        nameLabel="User name"
        isNewPassword
        action="Become the owner"
        enter={({ name, password }) => authApi.POST('/setup', { body: { secret, username: name, password } })}
      />
    </EntryFrame>
  );
}
