import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { usersQuery } from '../../api/queries.ts';
import { count } from '../../lib/format.ts';

const SHOWN = 3;

/** Who may use this server. */
export function UsersGlance(): ReactNode {
  const { data: users } = useQuery(usersQuery);
  if (users === undefined) return null;
  return (
    <div className="grid gap-2">
      <p className="text-[13px] text-muted">{count(users.length, 'user')}</p>
      <ul className="grid gap-1">
        {users.slice(0, SHOWN).map(({ id, username }) => (
          <li key={id} className="truncate font-medium">
            {username}
          </li>
        ))}
      </ul>
    </div>
  );
}
