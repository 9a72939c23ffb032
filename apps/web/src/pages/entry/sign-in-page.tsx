import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import { authApi } from '../../api/clients.ts';
import { stateQuery } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { useEntry } from './use-entry.ts';

export function SignInPage(): ReactNode {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const { data } = useQuery(stateQuery);
  const enter = useEntry(() => authApi.POST('/login', { body: { name, password } }));
  return (
    <EntryFrame title="Sign in" description="To the Holdfast server on this address.">
      {data?.needs_setup === true && (
        <p className="rounded-lg bg-info-soft p-3 text-info">
          Nobody owns this server yet.{' '}
          <Link to="/setup" className="font-medium underline">
            How to become the owner
          </Link>
        </p>
      )}
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          enter.mutate(undefined);
        }}
      >
        <Field
          label="User name or e-mail"
          name="username"
          // There is nothing else to do here
          autoFocus
          autoComplete="username"
          autoCapitalize="none"
          required
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
        {enter.isError && (
          <div className="-mx-5">
            <Failure error={enter.error} />
          </div>
        )}
        <Button type="submit" look="primary" isBusy={enter.isPending}>
          Sign in
        </Button>
      </form>
    </EntryFrame>
  );
}
