import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { databasesQuery } from '../../api/queries.ts';
import { Card } from '../../ui/card.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Backups } from './backups.tsx';
import { DatabaseTable } from './database-table.tsx';
import { Process } from './process.tsx';
import { RestorePoints } from './restore-points.tsx';

export function Component(): ReactNode {
  const databases = useQuery(databasesQuery);
  return (
    <Page title="System" description="Databases, backups, restore points, and what the server uses.">
      <Card title="Databases" isFlush>
        <Loaded query={databases}>{(all) => <DatabaseTable databases={all} />}</Loaded>
      </Card>
      <Process />
      <Loaded query={databases}>
        {(all) => {
          const names = all.filter(({ problem }) => problem === null).map(({ name }) => name);
          return (
            <>
              <Backups names={names} />
              <RestorePoints databases={all.filter(({ problem }) => problem === null)} />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
