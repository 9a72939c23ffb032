import { type ReactNode, useState } from 'react';

import { authApi } from '../../api/clients.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { useEntry } from './use-entry.ts';

const PASSWORD_HELP = 'At least 12 characters. Four or five random words make a good one.';

export function SetupForm({ secret }: { readonly secret: string }): ReactNode {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const enter = useEntry(() => authApi.POST('/setup', { body: { secret, username, password } }));
  return (
    <EntryFrame title="Welcome to Holdfast" description="Choose a name and a password. You will own this server.">
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          enter.mutate(undefined);
        }}
      >
        <Field
          label="User name"
          name="username"
          // There is nothing else to do here
          autoFocus
          autoComplete="username"
          autoCapitalize="none"
          required
          value={username}
          onChange={({ target }) => setUsername(target.value)}
        />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          required
          minLength={12}
          help={PASSWORD_HELP}
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
        {enter.isError && (
          <div className="-mx-5">
            <Failure error={enter.error} />
          </div>
        )}
        <Button type="submit" look="primary" isBusy={enter.isPending}>
          Become the owner
        </Button>
      </form>
    </EntryFrame>
  );
}
