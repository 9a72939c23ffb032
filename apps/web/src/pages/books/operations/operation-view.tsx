import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { operationQuery } from '../../../api/audiobooks-queries.ts';
import { BackLink } from '../../../ui/back-link.tsx';
import { Card } from '../../../ui/card.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { LogView } from '../../../ui/log/log-view.tsx';
import { Page } from '../../../ui/page.tsx';
import { isOpen, typeWord } from './status-badge.ts';
import { OperationRow } from './operation-row.tsx';
import { useLog } from './use-log.ts';

const WHILE_RUNNING_MS = 1_000;

/** One operation and its log, live while it runs. */
export function OperationView({ id }: { readonly id: string }): ReactNode {
  const operation = useQuery({
    ...operationQuery(id),
    refetchInterval: ({ state }) => (state.data !== undefined && isOpen(state.data) ? WHILE_RUNNING_MS : false),
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <BackLink to="/books/$view" params={{ view: 'operations' }}>
        All operations
      </BackLink>
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

function OperationLog({ id, isLive }: { readonly id: string; readonly isLive: boolean }): ReactNode {
  const { lines, isRead, error, retry } = useLog(id, isLive);
  if (error !== undefined) return <Failure error={error} onRetry={retry} />;
  const empty = isRead ? (isLive ? 'Nothing to report so far' : 'Finished without warnings') : 'Loading …';
  return (
    <div className="border-t border-line">
      <LogView label="Log" lines={lines} isLive={isLive} empty={empty} />
    </div>
  );
}
