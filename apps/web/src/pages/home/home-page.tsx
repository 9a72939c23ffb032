import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { databasesQuery } from '../../api/queries.ts';
import type { DatabaseState } from '../../api/types.ts';
import { useMay, useMe } from '../../lib/permissions.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { type App, apps } from './apps.ts';
import { DatabaseCard } from './database-card.tsx';
import { NextSteps } from './next-steps.tsx';
import { RingmasterCard } from './ringmaster-card.tsx';
import { OpenButton, Tile } from './tile.tsx';

export function Component(): ReactNode {
  const me = useMe();
  const maySee = useMay('system:read');
  return (
    <Page title="Home" description={`Welcome back, ${me?.user.username ?? ''}.`}>
      {maySee ? <Overview /> : <Welcome />}
    </Page>
  );
}

/** For users without access to databases. */
function Welcome(): ReactNode {
  const visible = useVisibleApps();
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,18rem),1fr))] gap-6">
      {visible.map((app) => (
        <AppCard key={app.title} app={app} />
      ))}
      <RingmasterCard />
      <Tile
        title="Account"
        what="Your password, sessions and tokens."
        doors={<OpenButton path="/account" title="Account" />}
      />
    </div>
  );
}

function useVisibleApps(): readonly App[] {
  const permissions = useMe()?.permissions ?? [];
  return apps.filter(({ page }) => page !== undefined && permissions.includes(page.permission));
}

function Overview(): ReactNode {
  const databases = useQuery(databasesQuery);
  const visible = useVisibleApps();
  return (
    <Loaded query={databases}>
      {(all) => (
        <>
          <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,18rem),1fr))] gap-6">
            {cards(all.filter(({ name }) => name !== 'accounts'))}
            {/* Data stored elsewhere, such as tasks on NATS, has no database here. */}
            {visible
              .filter(({ database }) => !all.some(({ name }) => name === database))
              .map((app) => (
                <AppCard key={app.title} app={app} />
              ))}
            <RingmasterCard />
            {cards(all.filter(({ name }) => name === 'accounts'))}
          </div>
          <NextSteps databases={all} />
        </>
      )}
    </Loaded>
  );
}

function cards(databases: readonly DatabaseState[]): ReactNode {
  return databases.map((database) => <DatabaseCard key={database.name} database={database} />);
}

/** An application without a visible database. */
function AppCard({ app: { title, what, page, Glance } }: { readonly app: App }): ReactNode {
  return (
    <Tile title={title} what={what} doors={<OpenButton path={page?.path ?? '/'} title={title} />}>
      {Glance !== undefined && <Glance />}
    </Tile>
  );
}
