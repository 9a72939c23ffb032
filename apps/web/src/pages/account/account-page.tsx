import type { ReactNode } from 'react';

import { useMe } from '../../lib/permissions.ts';
import { Tag } from '../../ui/badge.tsx';
import { Page } from '../../ui/page.tsx';
import { PasswordCard } from './password-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { TokensCard } from './tokens-card.tsx';

export function Component(): ReactNode {
  const me = useMe();
  return (
    <Page
      title="Account"
      description={`Signed in as ${me?.user.username ?? ''}.`}
      actions={
        <div className="flex gap-2">
          {me?.user.roles.map((role) => (
            <Tag key={role}>{role}</Tag>
          ))}
        </div>
      }
    >
      <TokensCard />
      <SessionsCard />
      <PasswordCard />
    </Page>
  );
}
