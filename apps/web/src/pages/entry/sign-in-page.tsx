import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { authApi } from '../../api/clients.ts';
import { stateQuery } from '../../api/queries.ts';
import { EntryForm } from './entry-form.tsx';
import { EntryFrame } from './entry-frame.tsx';

export function SignInPage(): ReactNode {
  const { data } = useQuery(stateQuery);
  return (
    <EntryFrame title="Sign in" description="Sign in to this Holdfast server.">
      {data?.needs_setup === true && (
        <p className="rounded-lg bg-info-soft p-3 text-info">
          This server has no owner yet.{' '}
          <Link to="/setup" className="font-medium underline">
            Set up the owner account
          </Link>
        </p>
      )}
      <EntryForm nameLabel="User name or e-mail" action="Sign in" enter={(body) => authApi.POST('/login', { body })} />
    </EntryFrame>
  );
}
