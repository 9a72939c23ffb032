import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';

import { operationQuery } from '../../../api/audiobooks-queries.ts';
import { Card } from '../../../ui/card.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Page } from '../../../ui/page.tsx';
import { isOpen, typeWord } from './look.ts';
import { OperationLog } from './operation-log.tsx';
import { OperationRow } from './operation-row.tsx';

const WHILE_RUNNING_MS = 1_000;

/** One operation with its log, which is followed while it goes on. */
export function OperationView({ id }: { readonly id: string }): ReactNode {
  const operation = useQuery({
    ...operationQuery(id),
    refetchInterval: ({ state }) => (state.data !== undefined && isOpen(state.data) ? WHILE_RUNNING_MS : false),
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Link
        to="/books/$view"
        params={{ view: 'operations' }}
        className="flex w-fit items-center gap-1.5 text-[13px] text-muted hover:text-text"
      >
        <ArrowLeft className="size-3.5" aria-hidden />
        All operations
      </Link>
      <Page title={operation.data === undefined ? 'Operation' : typeWord(operation.data.type)}>
        <Loaded query={operation}>
          {(found) => (
            <>
              <Card isFlush>
                <OperationRow operation={found} />
              </Card>
              <Card title="Log" isFlush>
                <OperationLog id={id} isLive={isOpen(found)} />
              </Card>
            </>
          )}
        </Loaded>
      </Page>
    </div>
  );
}
