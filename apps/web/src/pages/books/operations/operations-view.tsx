import { useInfiniteQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import type { ReactNode } from 'react';

import { operationsQuery } from '../../../api/audiobooks-queries.ts';
import type { OperationType } from '../../../api/types.ts';
import { useRows } from '../../../api/use-rows.ts';
import { useFilters } from '../../../lib/filters.ts';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Choice } from '../../../ui/field.tsx';
import { NotLoaded } from '../../../ui/loaded.tsx';
import { Page } from '../../../ui/page.tsx';
import { VirtualList } from '../../../ui/virtual-list.tsx';
import type { ViewProps } from '../view-props.ts';
import { isOpen, operationTypes } from './status-badge.ts';
import { OperationRow } from './operation-row.tsx';
import { OperationView } from './operation-view.tsx';

const ROW_HEIGHT = 74;
const WHILE_RUNNING_MS = 1_000;

export function View({ id }: ViewProps): ReactNode {
  return id === undefined ? <All /> : <OperationView id={id} />;
}

/** Changes to files and the catalogue, newest first, with a way to undo them. */
function All(): ReactNode {
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
        <List key={type} type={chosen} />
      </Card>
    </Page>
  );
}

function List({ type }: { readonly type: OperationType | undefined }): ReactNode {
  const query = useInfiniteQuery({
    ...operationsQuery(type),
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.data.some(isOpen) === true && state.data.pages.length === 1 ? WHILE_RUNNING_MS : false,
  });
  const { data } = query;
  const { rows: operations, more } = useRows(query);
  if (data === undefined) return <NotLoaded query={query} lines={6} />;
  if (operations.length === 0) {
    return (
      <EmptyState icon={History} title="No operations yet">
        <p>Scans, moves and merges appear here with their logs.</p>
      </EmptyState>
    );
  }
  return (
    <VirtualList
      label="Operations"
      rows={operations}
      rowHeight={ROW_HEIGHT}
      keyOf={({ id }) => id}
      onEnd={more}
      render={(operation) => <OperationRow operation={operation} />}
    />
  );
}
