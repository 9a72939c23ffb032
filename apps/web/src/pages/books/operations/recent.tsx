import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { operationsQuery } from '../../../api/audiobooks-queries.ts';
import type { OperationType } from '../../../api/types.ts';
import { Card } from '../../../ui/card.tsx';
import { isOpen } from './status-badge.ts';
import { OperationRow } from './operation-row.tsx';

const SHOWN = 5;

/** Recent operations of a type, so that they can be undone where they were started. */
export function RecentOperations({ type }: { readonly type: OperationType }): ReactNode {
  const { data } = useInfiniteQuery(operationsQuery(type));
  const done = (data?.pages[0]?.data ?? []).filter((operation) => !isOpen(operation)).slice(0, SHOWN);
  if (done.length === 0) return null;
  return (
    <Card title="Recent operations" isFlush>
      <ul className="divide-y divide-line border-t border-line">
        {done.map((operation) => (
          <li key={operation.id}>
            <OperationRow operation={operation} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
