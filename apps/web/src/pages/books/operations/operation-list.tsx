import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { latestOperationsQuery, operationsQuery } from '../../../api/audiobooks-queries.ts';
import { booksApi } from '../../../api/clients.ts';
import type { Operation, OperationType } from '../../../api/types.ts';
import { count } from '../../../lib/format.ts';
import { Badge, ProgressBar, Time, type Tone } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmButton } from '../../../ui/dialog.tsx';
import { ListCard } from '../../../ui/page.tsx';
import { useBooksAction, useRights } from '../actions.ts';
import { BooksLink } from '../book-list.tsx';

const types: Readonly<Record<OperationType, string>> = {
  scan: 'Scan',
  organize: 'Organise',
  transcode: 'Transcode',
  merge: 'Merge files',
  tag: 'Write tags',
  import: 'Import',
  edit: 'Edit',
  undo: 'Undo',
};

export const operationTypes = (Object.keys(types) as OperationType[]).map((value) => ({ value, label: types[value] }));

export function typeText(type: string): string {
  return operationTypes.find(({ value }) => value === type)?.label ?? type;
}

const statusBadges: Readonly<Record<string, readonly [word: string, tone: Tone]>> = {
  pending: ['Queued', 'paused'],
  running: ['Running', 'busy'],
  completed: ['Done', 'good'],
  failed: ['Failed', 'bad'],
  cancelled: ['Cancelled', 'cancelled'],
  interrupted: ['Interrupted', 'warn'],
};

/** Interval at which pages poll unfinished operations, in addition to the event stream. */
export const POLL_MS = 1_000;

export function isUnfinished({ status }: Operation): boolean {
  return status === 'pending' || status === 'running';
}

/** Shows unfinished operations to users who manage the library. */
export function RunningOperations(): ReactNode {
  const { manage } = useRights();
  const { data = [] } = useQuery({
    ...latestOperationsQuery,
    enabled: manage,
    refetchInterval: ({ state }) => (state.data?.some(isUnfinished) === true ? POLL_MS : false),
  });
  return <OperationsCard title="Running now" operations={data.filter(isUnfinished)} />;
}

const RECENT = 5;

/** Recent operations of one type, so that users can undo them on the page where they started them. */
export function RecentOperations({ type }: { readonly type: OperationType }): ReactNode {
  const { data } = useInfiniteQuery(operationsQuery(type));
  const finished = (data?.pages[0]?.data ?? []).filter((operation) => !isUnfinished(operation));
  return <OperationsCard title="Recent operations" operations={finished.slice(0, RECENT)} />;
}

interface OperationsCardProps {
  readonly title: string;
  readonly operations: readonly Operation[];
}

function OperationsCard({ title, operations }: OperationsCardProps): ReactNode {
  if (operations.length === 0) return null;
  return (
    <ListCard
      title={title}
      rows={operations}
      keyOf={({ id }) => id}
      render={(operation) => <OperationRow operation={operation} />}
    />
  );
}

interface OperationProps {
  readonly operation: Operation;
}

export function OperationRow({ operation }: OperationProps): ReactNode {
  const { id, type, status, summary, error, created_by: by, started_at: started, completed_at: completed } = operation;
  const [word, tone] = statusBadges[status] ?? [status, 'neutral'];
  const at = completed ?? started;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
      <div className="grid min-w-0 flex-1 basis-64 gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <BooksLink view="operations" id={id} className="font-medium hover:underline">
            {typeText(type)}
          </BooksLink>
          <Badge tone={tone}>{operation.cancelling ? 'Stopping' : word}</Badge>
          {operation.undone_by !== null && <Badge tone="neutral">Undone</Badge>}
          <span className="text-[13px] text-muted">
            {by}
            {at !== null && (
              <>
                {' · '}
                <Time at={at} />
              </>
            )}
          </span>
        </div>
        {isUnfinished(operation) ? (
          <OperationProgress operation={operation} />
        ) : (
          <bdi className={`text-[13px] break-words ${error === null ? 'text-muted' : 'text-bad'}`}>
            {error ?? summary}
          </bdi>
        )}
      </div>
      <OperationButtons operation={operation} />
    </div>
  );
}

function OperationProgress({ operation }: OperationProps): ReactNode {
  const { current, total, phase } = operation.progress;
  const amount = total === 0 ? (current === 0 ? '' : count(current)) : `${count(current)} of ${count(total)}`;
  return (
    <div className="grid gap-1">
      <ProgressBar
        label={`${typeText(operation.type)} progress`}
        percent={total === 0 ? undefined : (current / total) * 100}
      />
      <p className="text-[13px] text-muted tabular-nums">
        {[phase, amount].filter((part) => part !== '').join(' · ') || 'Starting'}
      </p>
    </div>
  );
}

function OperationButtons({ operation }: OperationProps): ReactNode {
  const { manage } = useRights();
  const params = { operation: operation.id };
  const cancel = useBooksAction({
    failed: 'Could not cancel the operation',
    run: () => booksApi.POST('/operations/{operation}/cancel', { params }),
  });
  const undo = useBooksAction({
    failed: 'Could not undo the operation',
    done: () => 'Undoing the operation',
    run: () => booksApi.POST('/operations/{operation}/undo', { params }),
  });
  if (!manage) return null;
  const type = typeText(operation.type);
  return (
    <>
      {isUnfinished(operation) && !operation.cancelling && (
        <Button size="small" aria-label={`Cancel: ${type}`} isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel
        </Button>
      )}
      {operation.can_undo && (
        <ConfirmButton
          size="small"
          aria-label={`Undo: ${type}`}
          title={`Undo: ${type}?`}
          action="Undo operation"
          mutation={undo}
          explanation="Restores the state before this operation. Listening positions are kept."
        >
          Undo
        </ConfirmButton>
      )}
    </>
  );
}
