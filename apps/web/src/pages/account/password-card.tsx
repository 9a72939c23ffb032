import { type ReactNode, useState } from 'react';

import { accountApi } from '../../api/clients.ts';
import { useAction } from '../../api/use-action.ts';
import { PASSWORD_HELP } from '../../lib/password.ts';
import { useMe } from '../../lib/permissions.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';

export function PasswordCard(): ReactNode {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const me = useMe();
  const change = useAction({
    failed: 'Could not change the password',
    done: () => 'Password changed. Your other sessions were signed out.',
    touches: ['accounts'],
    run: async () => {
      await accountApi.POST('/password', { body: { current, next } });
      setCurrent('');
      setNext('');
    },
  });
  return (
    <Card title="Password" description="Changing it signs you out everywhere else.">
      <Form className="grid max-w-md gap-4" onSubmit={() => change.mutate()}>
        {/* Tells password managers which account the password belongs to. */}
        <input type="text" hidden readOnly autoComplete="username" value={me?.user.username ?? ''} />
        <Field
          label="Current password"
          type="password"
          autoComplete="current-password"
          required
          value={current}
          onChange={setCurrent}
        />
        <Field
          label="New password"
          type="password"
          autoComplete="new-password"
          required
          help={PASSWORD_HELP}
          value={next}
          onChange={setNext}
        />
        <div>
          <Button type="submit" variant="primary" isBusy={change.isPending}>
            Change password
          </Button>
        </div>
      </Form>
    </Card>
  );
}
