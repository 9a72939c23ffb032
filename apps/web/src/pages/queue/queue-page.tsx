import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Rows3 } from 'lucide-react';
import { type ReactNode, useEffect, useMemo } from 'react';

import { type EventStatus, metricsQuery, notebooksQuery, queueQuery } from '../../api/codex-queries.ts';
import type { CodexEvent } from '../../api/types.ts';
import { useRows } from '../../api/use-rows.ts';
import { useMay } from '../../lib/permissions.ts';
import { useFilters } from '../../lib/filters.ts';
import { useStore } from '../../lib/store.ts';
import { followStream } from '../../live/streams.ts';
import { AnnounceChanges } from '../../ui/announce.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Choice } from '../../ui/field.tsx';
import { NotLoaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Segments } from '../../ui/segments.tsx';
import { Time } from '../../ui/time.tsx';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { codexChanges, codexStream } from '../notebooks/codex-stream.ts';
import { authorOf, describeOperation, statusBadges } from './describe-operation.ts';
import { EventActions } from './event-actions.tsx';
import { EventDialog } from './event-dialog.tsx';
import { QueueMetrics } from './queue-metrics.tsx';
import { Trash } from './trash.tsx';

const ROW_HEIGHT = 68;

/** Operations on all notebooks. */
export function Component(): ReactNode {
  useEffect(() => followStream(codexStream, 'page'), []);
  const [{ status = '', notebook = '', event = '' }, change] = useFilters();
  const { data: notebooks = [] } = useQuery(notebooksQuery);
  const { data: metrics } = useQuery(metricsQuery);
  const options: readonly { readonly value: EventStatus | ''; readonly label: string; readonly count?: number }[] = [
    { value: '', label: 'All' },
    { value: 'pending', label: 'Queued', ...(metrics === undefined ? {} : { count: metrics.pending }) },
    { value: 'failed', label: 'Failed', ...(metrics === undefined ? {} : { count: metrics.dead }) },
    { value: 'completed', label: 'Done' },
    { value: 'discarded', label: 'Discarded' },
  ];
  const chosen = options.find(({ value }) => value === status)?.value ?? '';
  const names = useMemo(() => new Map(notebooks.map(({ id, name }) => [id, name])), [notebooks]);
  return (
    <Page title="Queue" description="Every notebook operation, who requested it, and its result.">
      <QueueMetrics />
      <div className="flex flex-col gap-3 sm:flex-row sm:items-center">
        <div className="flex-1">
          <Segments
            label="Operations by status"
            value={chosen}
            options={options}
            onChange={(next) => change({ status: next }, true)}
          />
        </div>
        {notebooks.length > 1 && (
          <div className="sm:w-56">
            <Choice
              label="Notebook"
              isLabelHidden
              value={notebook}
              options={[
                { value: '', label: 'All notebooks' },
                ...notebooks.map(({ id, name }) => ({ value: String(id), label: name })),
              ]}
              onChange={(next) => change({ notebook: next }, true)}
            />
          </div>
        )}
      </div>
      <Card isFlush>
        <Operations status={chosen === '' ? undefined : chosen} notebook={notebook} names={names} />
      </Card>
      {notebooks
        .filter(({ id }) => notebook === '' || String(id) === notebook)
        .map(({ id, name }) => (
          <Trash key={id} id={String(id)} name={name} />
        ))}
      <EventDialog id={event} names={names} onClose={() => change({ event: '' })} />
      <AnnounceChanges
        changes={useStore(codexChanges)}
        describe={(changed) => `${describeOperation(changed)}: ${statusBadges[changed.status].word}`}
      />
    </Page>
  );
}

interface OperationsProps {
  readonly status: EventStatus | undefined;
  readonly notebook: string;
  readonly names: ReadonlyMap<number, string>;
}

function Operations({ status, notebook, names }: OperationsProps): ReactNode {
  const [, change] = useFilters();
  const query = useInfiniteQuery(queueQuery({ status, notebook }));
  const { data } = query;
  const { rows: events, more } = useRows(query);
  if (data === undefined) return <NotLoaded query={query} lines={6} />;
  if (events.length === 0) {
    return (
      <EmptyState icon={Rows3} title={empty[status ?? ''] ?? 'No operations'}>
        <p>Every change to a notebook appears here for a day; failed ones stay for a week.</p>
      </EmptyState>
    );
  }
  return (
    <VirtualList
      label="Operations"
      rows={events}
      rowHeight={ROW_HEIGHT}
      keyOf={({ id }) => String(id)}
      onEnd={more}
      render={(event) => (
        <EventRow
          event={event}
          notebook={names.get(event.notebook_id) ?? ''}
          onOpen={() => change({ event: String(event.id) }, true)}
        />
      )}
    />
  );
}

const empty: Readonly<Record<string, string>> = {
  '': 'No recent operations',
  pending: 'No queued operations',
  failed: 'No failed operations',
  completed: 'No recently completed operations',
  discarded: 'No discarded operations',
};

interface EventRowProps {
  readonly event: CodexEvent;
  readonly notebook: string;
  readonly onOpen: () => void;
}

function EventRow({ event, notebook, onOpen }: EventRowProps): ReactNode {
  const mayWrite = useMay('app:codex:write');
  const { id, status, author, created_at: at, error_message: error, commit_sha: commit } = event;
  const { tone, word } = statusBadges[status];
  return (
    <article aria-label={`Operation ${id}`} className="flex flex-wrap items-start gap-x-4 gap-y-2 px-5 py-3">
      <div className="grid min-w-0 flex-1 basis-56 gap-0.5">
        <button
          type="button"
          onClick={onOpen}
          className="justify-self-start text-left font-medium break-words hover:underline"
        >
          {describeOperation(event)}
        </button>
        {status === 'failed' && error !== null && <p className="text-[13px] break-words text-bad">{error}</p>}
        <p className="flex flex-wrap gap-x-3 text-[13px] text-muted">
          <span>#{id}</span>
          <span>{notebook}</span>
          <span>{authorOf(author)}</span>
          <Time at={at} />
          {commit !== null && <span className="font-mono text-xs leading-5">{commit.slice(0, 8)}</span>}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={tone}>{word}</Badge>
        {mayWrite && <EventActions event={event} />}
      </div>
    </article>
  );
}
