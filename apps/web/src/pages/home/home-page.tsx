import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { databasesQuery } from '../../api/queries.ts';
import { useMay, useMe } from '../../lib/permissions.ts';
import { Card } from '../../ui/card.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { DatabaseCard } from './database-card.tsx';
import { NextSteps } from './next-steps.tsx';

export function Component(): ReactNode {
  const me = useMe();
  const maySee = useMay('system:read');
  return (
    <Page title="Home" description={`Hello ${me?.user.username ?? ''}. This is what is going on.`}>
      {maySee ? (
        <Overview />
      ) : (
        <Card title="Welcome">
          <p className="text-muted">
            You are signed in. What this server stores is shown to administrators; your own password, sessions and
            tokens are under Account.
          </p>
        </Card>
      )}
    </Page>
  );
}

function Overview(): ReactNode {
  const databases = useQuery(databasesQuery);
  return (
    <Loaded query={databases}>
      {(all) => (
        <>
          <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,18rem),1fr))] gap-6">
            {all.map((database) => (
              <DatabaseCard key={database.name} database={database} />
            ))}
          </div>
          <NextSteps databases={all} />
        </>
      )}
    </Loaded>
  );
}
