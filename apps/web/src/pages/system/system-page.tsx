import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { databasesQuery } from '../../api/queries.ts';
import { byteSize, duration } from '../../lib/format.ts';
import { Tag } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Plot } from '../../ui/plot.tsx';
import { Backups } from './backups.tsx';
import { DatabaseTable } from './database-table.tsx';
import { RestorePoints } from './restore-points.tsx';
import { useSamples } from './samples.ts';

export function Component(): ReactNode {
  const databases = useQuery(databasesQuery);
  return (
    <Page title="System" description="Databases, backups, restore points and server load.">
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

const percent = (value: number): string => `${(value * 100).toFixed(value < 0.1 ? 1 : 0)} %`;
const perSecond = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)}/s`;

/** Versions and resource usage, polled every two seconds. */
function Process(): ReactNode {
  const { info, samples } = useSamples();
  const { times, memory, cpu, requests } = samples;
  return (
    <Card
      title="Server"
      description={info === undefined ? 'Loading …' : `Running for ${duration(info.uptime_seconds)}`}
      actions={
        info !== undefined && (
          <div className="flex gap-2">
            <Tag>Holdfast {info.version}</Tag>
            <Tag>Node {info.node}</Tag>
          </div>
        )
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 md:grid-cols-[repeat(3,minmax(0,1fr))]">
        <Plot title="Memory" times={times} values={memory} format={byteSize} />
        <Plot title="CPU (1 core = 100 %)" times={times} values={cpu} format={percent} />
        <Plot title="Requests" times={times} values={requests} format={perSecond} />
      </div>
    </Card>
  );
}
