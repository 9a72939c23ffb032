import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { latestOperationsQuery, rightsQuery } from '../../../api/audiobooks-queries.ts';
import { Card } from '../../../ui/card.tsx';
import { isOpen } from './look.ts';
import { OperationRow } from './operation-row.tsx';

/** While something goes on the clock helps the stream: an operation counts more often than it tells. */
const WHILE_RUNNING_MS = 1_000;

/** What the server is at now, for those who manage it. */
export function RunningOperations(): ReactNode {
  const manages = useQuery(rightsQuery).data?.can.manage ?? false;
  const { data = [] } = useQuery({
    ...latestOperationsQuery,
    enabled: manages,
    refetchInterval: ({ state }) => (state.data?.some(isOpen) === true ? WHILE_RUNNING_MS : false),
  });
  const running = data.filter(isOpen);
  if (running.length === 0) return null;
  return (
    <Card title="Going on now" isFlush>
      <ul className="divide-y divide-line border-t border-line">
        {running.map((operation) => (
          <li key={operation.id}>
            <OperationRow operation={operation} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
