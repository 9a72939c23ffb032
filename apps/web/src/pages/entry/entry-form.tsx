import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import { PASSWORD_HELP, PASSWORD_LENGTH_MIN } from '../../lib/password.ts';
import type { Filters } from '../../lib/filters.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';

interface Credentials {
  readonly name: string;
  readonly password: string;
}

interface EntryFormProps {
  readonly nameLabel: string;
  readonly isNewPassword?: boolean;
  readonly action: string;
  readonly enter: (given: Credentials) => Promise<unknown>;
}

const newPassword = { autoComplete: 'new-password', minLength: PASSWORD_LENGTH_MIN, help: PASSWORD_HELP } as const;
const knownPassword = { autoComplete: 'current-password' } as const;

export function EntryForm(props: EntryFormProps): ReactNode {
  const { nameLabel, isNewPassword = false, action } = props;
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const enter = useEntry(() => props.enter({ name, password }));
  return (
    <Form onSubmit={() => enter.mutate()}>
      <Field
        label={nameLabel}
        name="username"
        // The form is all that this page has.
        autoFocus
        autoComplete="username"
        autoCapitalize="none"
        required
        value={name}
        onChange={setName}
      />
      <Field
        label="Password"
        name="password"
        type="password"
        required
        {...(isNewPassword ? newPassword : knownPassword)}
        value={password}
        onChange={setPassword}
      />
      {enter.isError && (
        <div className="-mx-5">
          <Failure error={enter.error} />
        </div>
      )}
      <Button type="submit" variant="primary" isBusy={enter.isPending}>
        {action}
      </Button>
    </Form>
  );
}

/** Signs in with `enter`, then opens the page that the user wanted. */
function useEntry(enter: () => Promise<unknown>): UseMutationResult<void, Error, void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { next }: Filters = useSearch({ strict: false });
  return useMutation({
    mutationFn: async () => {
      await enter();
      client.clear();
      await navigate({ href: safePath(next), replace: true });
    },
  });
}

/** A path on this site: a manipulated link must not lead elsewhere. */
function safePath(next: string | undefined): string {
  const isOurs = next !== undefined && /^\/(?![/\\])/.test(next) && !next.startsWith('/sign-in');
  return isOurs ? next : '/';
}
