import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import type { ReactNode } from 'react';

import { logQuery, operationQuery, operationsQuery } from '../../../api/audiobooks-queries.ts';
import type { OperationLine, OperationType } from '../../../api/types.ts';
import { useRows } from '../../../api/use-rows.ts';
import { useFilters } from '../../../lib/filters.ts';
import { Choice } from '../../../ui/field.tsx';
import { type LogLine, LogView } from '../../../ui/log/log-view.tsx';
import { BackLink, Card, EmptyState, Loaded, NotLoaded, Page } from '../../../ui/page.tsx';
import { VirtualList } from '../../../ui/virtual-list.tsx';
import { isUnfinished, OperationRow, operationTypes, POLL_MS, typeText } from './operation-list.tsx';

export function View({ id }: { readonly id: string | undefined }): ReactNode {
  return id === undefined ? <AllOperations /> : <OneOperation id={id} />;
}

/** Changes to files and the database, newest first, with a way to undo them. */
function AllOperations(): ReactNode {
  const [{ type = '' }, change] = useFilters();
  const chosen = operationTypes.find(({ value }) => value === type)?.value;
  return (
    <Page
      title="Operations"
      description="Running and finished operations"
      actions={
        <div className="w-44">
          <Choice
            label="Type"
            isLabelHidden
            value={chosen ?? ''}
            options={[{ value: '', label: 'All operations' }, ...operationTypes]}
            onChange={(next) => change({ type: next }, true)}
          />
        </div>
      }
    >
      <Card isFlush>
        <OperationList key={type} type={chosen} />
      </Card>
    </Page>
  );
}

const ROW_HEIGHT = 74;

function OperationList({ type }: { readonly type: OperationType | undefined }): ReactNode {
  const query = useInfiniteQuery({
    ...operationsQuery(type),
    refetchInterval: ({ state: { data } }) =>
      data?.pages.length === 1 && data.pages[0]?.data.some(isUnfinished) === true ? POLL_MS : false,
  });
  const { rows, more } = useRows(query);
  if (query.data === undefined) return <NotLoaded query={query} lines={6} />;
  if (rows.length === 0) {
    return (
      <EmptyState icon={History} title="No operations yet">
        <p>Scans, moves and merges appear here with their logs.</p>
      </EmptyState>
    );
  }
  return (
    <VirtualList
      label="Operations"
      rows={rows}
      rowHeight={ROW_HEIGHT}
      keyOf={({ id }) => id}
      onEnd={more}
      render={(operation) => <OperationRow operation={operation} />}
    />
  );
}

function OneOperation({ id }: { readonly id: string }): ReactNode {
  const operation = useQuery({
    ...operationQuery(id),
    refetchInterval: ({ state }) => (state.data !== undefined && isUnfinished(state.data) ? POLL_MS : false),
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <BackLink to="/books/$view" params={{ view: 'operations' }}>
        All operations
      </BackLink>
      <Page title={operation.data === undefined ? 'Operation' : typeText(operation.data.type)}>
        <Loaded query={operation}>
          {(found) => (
            <>
              <Card isFlush>
                <OperationRow operation={found} />
              </Card>
              <Card title="Log" isFlush>
                <OperationLog key={found.status} id={id} isLive={isUnfinished(found)} />
              </Card>
            </>
          )}
        </Loaded>
      </Page>
    </div>
  );
}

function logLines(lines: readonly OperationLine[]): readonly LogLine[] {
  return lines.map(({ message, timestamp, level }) => ({ text: message, at: timestamp, level }));
}

function OperationLog({ id, isLive }: { readonly id: string; readonly isLive: boolean }): ReactNode {
  const log = useQuery({
    ...logQuery(id),
    select: logLines,
    refetchInterval: isLive && POLL_MS,
    // Reads the log once more after the operation has ended.
    refetchOnMount: 'always',
  });
  const empty = isLive ? 'No warnings so far' : 'Finished without warnings';
  return (
    <Loaded query={log}>
      {(lines) => (
        <div className="border-t border-line">
          <LogView label="Log" lines={lines} isLive={isLive} empty={empty} />
        </div>
      )}
    </Loaded>
  );
}
