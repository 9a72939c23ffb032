import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { latestOperationsQuery, rightsQuery } from '../../../api/audiobooks-queries.ts';
import { Card } from '../../../ui/card.tsx';
import { isOpen } from './status-badge.ts';
import { OperationRow } from './operation-row.tsx';

/** Polls while operations run, because they report progress less often than it changes. */
const WHILE_RUNNING_MS = 1_000;

/** Running operations, for users who manage the library. */
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
    <Card title="Running now" isFlush>
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
