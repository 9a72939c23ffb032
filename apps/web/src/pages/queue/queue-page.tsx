import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Rows3 } from 'lucide-react';
import { type ReactNode, useEffect, useMemo } from 'react';

import { codexApi } from '../../api/clients.ts';
import {
  type EventStatus,
  metricsQuery,
  notebooksQuery,
  queuePlotQuery,
  queueQuery,
  trashQuery,
} from '../../api/codex-queries.ts';
import type { CodexEvent, TrashEntry } from '../../api/types.ts';
import { useAction } from '../../api/use-action.ts';
import { useRows } from '../../api/use-rows.ts';
import { useFilters } from '../../lib/filters.ts';
import { count, decimal, duration } from '../../lib/format.ts';
import { useMay } from '../../lib/permissions.ts';
import { useStore } from '../../lib/store.ts';
import { followStream } from '../../live/streams.ts';
import { AnnounceChanges } from '../../ui/announce.tsx';
import { Badge, Time } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { timeColumn } from '../../ui/columns.tsx';
import { Choice, Segments } from '../../ui/field.tsx';
import { Card, EmptyState, Loaded, NotLoaded, Page } from '../../ui/page.tsx';
import { Plot } from '../../ui/plot.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { codexChanges, codexStream } from '../notebooks/codex-stream.ts';
import { authorOf, describeOperation, statusBadges } from './describe-operation.ts';
import { EventActions, EventDialog } from './event-dialog.tsx';

const ROW_HEIGHT = 68;

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
        <p>Every change to a notebook appears here for a day; failed changes stay for a week.</p>
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

const spans = [
  { value: '60', label: 'Hour' },
  { value: '360', label: '6 hours' },
  { value: '1440', label: 'Day' },
] as const;

const whole = (value: number): string => (Number.isInteger(value) ? count(value) : decimal(value, 1));
const seconds = (value: number): string => (value < 10 ? `${decimal(value, 1)} s` : duration(value));
const zero = (values: readonly (number | null)[]): readonly number[] => values.map((value) => value ?? 0);

function QueueMetrics(): ReactNode {
  const [{ span = '' }, change] = useFilters();
  const chosen = spans.find(({ value }) => value === span)?.value ?? '60';
  const figures = useQuery(queuePlotQuery(Number(chosen)));
  return (
    <Card
      title="Queue metrics"
      description={<Summary />}
      actions={
        <Segments
          label="Period"
          value={chosen}
          options={spans}
          onChange={(next) => change({ span: next === '60' ? '' : next })}
        />
      }
    >
      <Loaded query={figures}>
        {(found) => (
          <Plots
            at={found.at}
            throughput={found.throughput_per_minute}
            age={found.oldest_pending_seconds}
            lag={found.git_lag_seconds}
          />
        )}
      </Loaded>
    </Card>
  );
}

function Summary(): ReactNode {
  const { data } = useQuery(metricsQuery);
  if (data === undefined) return 'Loading …';
  const { pending, dead, completed_24h: done, latency_p50_ms: latency } = data;
  const git = data.notebooks.reduce((sum, each) => sum + each.git_pending, 0);
  return [
    `${count(pending)} queued`,
    `${count(dead)} failed`,
    `${count(done)} done in 24 hours${latency === null ? '' : ` (median ${Math.max(1, Math.round(latency))} ms)`}`,
    git === 0 ? 'everything committed' : `${count(git, 'change')} not committed yet`,
  ].join(' · ');
}

interface PlotsProps {
  readonly at: readonly string[];
  readonly throughput: readonly number[];
  readonly age: readonly (number | null)[];
  readonly lag: readonly (number | null)[];
}

function Plots({ at, throughput, age, lag }: PlotsProps): ReactNode {
  const times = useMemo(() => at.map((time) => Date.parse(time) / 1_000), [at]);
  const ages = useMemo(() => zero(age), [age]);
  const lags = useMemo(() => zero(lag), [lag]);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 md:grid-cols-[repeat(3,minmax(0,1fr))]">
      <Plot title="Done per minute" times={times} values={throughput} format={whole} />
      <Plot title="Oldest queued operation" times={times} values={ages} format={seconds} />
      <Plot title="Commit delay" times={times} values={lags} format={seconds} />
    </div>
  );
}

function Trash({ id, name }: { readonly id: string; readonly name: string }): ReactNode {
  const { data: entries = [] } = useQuery(trashQuery(id));
  const mayWrite = useMay('app:codex:write');
  const columns = useMemo(() => columnsFor(id, mayWrite), [id, mayWrite]);
  if (entries.length === 0) return null;
  return (
    <Card
      title={`Trash of ${name}`}
      description="You can restore deleted files for seven days. Git keeps their history forever."
      isFlush
    >
      <div className="max-h-96 overflow-y-auto">
        <Table
          label={`Deleted files in ${name}`}
          rows={entries}
          columns={columns}
          keyOf={({ event_id: event }) => String(event)}
        />
      </div>
    </Card>
  );
}

function columnsFor(id: string, mayWrite: boolean): readonly Column<TrashEntry>[] {
  const shown: readonly Column<TrashEntry>[] = [
    { title: 'Path', sortBy: ({ path }) => path, cell: ({ path }) => <span className="break-all">{path}</span> },
    {
      title: 'Kind',
      isOptional: true,
      cell: ({ kind, file_count: files }) => (kind === 'file' ? 'File' : `Folder, ${count(files, 'file')}`),
    },
    timeColumn('Deleted', ({ deleted_at: at }) => at),
  ];
  if (!mayWrite) return shown;
  const restore: Column<TrashEntry> = {
    title: 'Restore',
    isTitleHidden: true,
    align: 'right',
    cell: (entry) => <Restore id={id} entry={entry} />,
  };
  return [...shown, restore];
}

function Restore({ id, entry }: { readonly id: string; readonly entry: TrashEntry }): ReactNode {
  const restore = useAction({
    failed: `Could not restore ${entry.path}`,
    done: () => `Restored ${entry.path}`,
    touches: ['codex'],
    async run() {
      const params = { notebook: id, event_id: String(entry.event_id) };
      await codexApi.POST('/notebooks/{notebook}/trash/{event_id}/restore', { params, query: { wait: 30 } });
    },
  });
  return (
    <Button size="small" isBusy={restore.isPending} onClick={() => restore.mutate()}>
      Restore<span className="sr-only"> {entry.path}</span>
    </Button>
  );
}
