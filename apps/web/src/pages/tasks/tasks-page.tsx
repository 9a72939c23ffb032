import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { HardDrive, ListChecks, Network, Unplug } from 'lucide-react';
import { Fragment, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';

import type { TaskCounts, TaskStorage } from '../../api/types.ts';
import { useRows } from '../../api/use-rows.ts';
import { taskCountsQuery, type TaskFilter, tasksQuery, taskStorageQuery } from '../../api/utask-queries.ts';
import { statusOf } from '../../lib/error-reason.ts';
import { useFilters } from '../../lib/filters.ts';
import { count } from '../../lib/format.ts';
import { useMay } from '../../lib/permissions.ts';
import { useStore } from '../../lib/store.ts';
import { followStream, liveState } from '../../live/streams.ts';
import { AnnounceChanges } from '../../ui/announce.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SearchBox, Segments } from '../../ui/field.tsx';
import { Card, EmptyState, Page } from '../../ui/page.tsx';
import { filterOf, type TaskChange } from './cached-tasks.ts';
import { BulkActions } from './bulk-actions.tsx';
import { QuickAdd } from './quick-add.tsx';
import { TaskList } from './task-list.tsx';
import { taskChanges, taskStream } from './task-stream.ts';
import { Unreachable } from './unreachable.tsx';
import { useSelection } from './use-selection.ts';
import { useEditor, useTaskActions, useTaskKeys } from './use-tasks.ts';

export function Component(): ReactNode {
  const storage = useQuery(taskStorageQuery);
  const counts = useQuery(taskCountsQuery);
  const isClosed = statusOf(storage.error) === 404;
  const away = [storage.error, counts.error].find((error) => statusOf(error) === 503);
  useEffect(() => (isClosed ? undefined : followStream(taskStream, 'page')), [isClosed]);
  return (
    <Page
      title="Tasks"
      description="A shared task list. Press ? for shortcuts."
      actions={!isClosed && <StorageButton />}
    >
      {away !== undefined && <Unreachable error={away} />}
      {isClosed ? <Closed /> : (away === undefined || storage.data !== undefined) && <TasksView />}
      <AnnounceChanges changes={useStore(taskChanges)} describe={describeChange} />
    </Page>
  );
}

function describeChange({ task }: TaskChange): string {
  if (task === null) return 'A task was deleted elsewhere';
  return `${task.done ? 'Done' : 'Changed'} elsewhere: ${task.text}`;
}

function Closed(): ReactNode {
  return (
    <Card isFlush>
      <EmptyState icon={Unplug} title="The task list is unavailable">
        <p>
          The server could not open the list at startup; the terminal that runs the server shows why. Check
          UTASK_NATS_URL and utask.json, then restart <code className="font-mono text-[13px]">holdfast serve</code>.
        </p>
      </EmptyState>
    </Card>
  );
}

function TasksView(): ReactNode {
  const [filters, change] = useFilters();
  const filter = useMemo(() => filterOf(filters), [filters]);
  const search = useCallback((text: string) => change({ text }), [change]);
  const { data: counts } = useQuery(taskCountsQuery);
  const query = useInfiniteQuery(tasksQuery(filter));
  const { rows: tasks, more } = useRows(query);
  const mayChange = useMay('app:utask:write');
  const editor = useEditor();
  const { finish, remove } = useTaskActions();
  const newTask = useRef<HTMLInputElement>(null);
  const selection = useSelection(tasks);
  const { active, controls } = useTaskKeys({ tasks, mayChange, finish, remove, newTask, editor, selection });
  const states = [
    { value: 'open', label: 'Open', count: counts?.open },
    { value: 'done', label: 'Done', count: counts?.done },
    { value: 'all', label: 'All', count: counts && counts.open + counts.done },
  ] as const;
  const setTags = (tags: readonly string[]): void => change({ tags: tags.join(',') }, true);
  return (
    <div className="grid items-start gap-x-6 gap-y-4 lg:grid-cols-[12rem_minmax(0,1fr)]">
      {mayChange && (
        <div className="min-w-0 lg:col-span-2">
          <QuickAdd input={newTask} />
        </div>
      )}
      <TagList
        filter={filter}
        onTags={setTags}
        onMatch={(match) => change({ match: match === 'all' ? match : '' }, true)}
      />
      <div className="grid min-w-0 gap-4">
        <div className="flex flex-col gap-3 sm:flex-row sm:items-center">
          <Segments
            label="Task status"
            value={filter.state}
            options={states}
            onChange={(state) => change({ state: state === 'open' ? '' : state }, true)}
          />
          <SearchBox label="Search tasks" value={filter.search} onChange={search} />
          {mayChange && !selection.isActive && tasks.length > 0 && (
            <Button icon={ListChecks} onClick={selection.begin}>
              Select
            </Button>
          )}
        </div>
        {selection.isActive && mayChange && <BulkActions selection={selection} />}
        <Card isFlush>
          <TaskList
            query={query}
            tasks={tasks}
            active={active}
            editor={editor}
            selection={selection}
            isFiltered={filter.tags.length > 0 || filter.search !== '' || filter.state === 'done'}
            mayChange={mayChange}
            controls={controls}
            onEnd={more}
            onFinish={finish}
            onEdit={editor.begin}
            onRemove={remove}
            onTag={(tag) => setTags([tag])}
          />
        </Card>
      </div>
    </div>
  );
}

interface TagListProps {
  readonly filter: TaskFilter;
  readonly onTags: (tags: readonly string[]) => void;
  readonly onMatch: (match: TaskFilter['match']) => void;
}

const matches = [
  { value: 'any', label: 'Any tag' },
  { value: 'all', label: 'All tags' },
] as const;

function TagList({ filter, onTags, onMatch }: TagListProps): ReactNode {
  const { data } = useQuery(taskCountsQuery);
  const tags = (data?.tags ?? [])
    .map((each) => ({ tag: each.tag, count: countOf(each, filter.state), isChosen: filter.tags.includes(each.tag) }))
    .filter((each) => each.count > 0 || each.isChosen)
    .sort((left, right) => right.count - left.count);
  const missing = filter.tags.filter((tag) => !tags.some((each) => each.tag === tag));
  const shown = [...tags, ...missing.map((tag) => ({ tag, count: 0, isChosen: true }))];
  return (
    <section aria-label="Tags" className="grid content-start gap-2">
      <div className="flex items-center justify-between gap-2 lg:px-2">
        <h2 className="text-[13px] font-medium text-muted">Tags</h2>
        {filter.tags.length > 0 && (
          <button type="button" className="text-[13px] text-accent-strong hover:underline" onClick={() => onTags([])}>
            Clear tags
          </button>
        )}
      </div>
      {filter.tags.length > 1 && (
        <Segments label="Tasks must have" value={filter.match} options={matches} onChange={onMatch} />
      )}
      {shown.length === 0 ? (
        <p className="text-[13px] text-muted lg:px-2">No tags yet. Add one by typing #tag in a new task.</p>
      ) : (
        <ul className="flex max-h-32 flex-wrap gap-1 overflow-y-auto p-0.5 lg:grid lg:max-h-[60vh]">
          {shown.map(({ tag, count: tasks, isChosen }) => (
            <li key={tag} className="min-w-0">
              <button
                type="button"
                aria-pressed={isChosen}
                onClick={() => onTags(isChosen ? filter.tags.filter((each) => each !== tag) : [...filter.tags, tag])}
                className={`flex w-full min-w-0 items-center justify-between gap-2 rounded-lg border px-2 py-1 text-left text-[13px] lg:border-transparent ${
                  isChosen
                    ? 'border-transparent bg-accent-soft font-medium text-accent-strong'
                    : 'border-line text-text hover:bg-sunken'
                }`}
              >
                <span dir="auto" className="truncate">
                  #{tag}
                </span>
                <span className={`tabular-nums ${isChosen ? '' : 'text-muted'}`}>{count(tasks)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function countOf({ open, done }: TaskCounts['tags'][number], state: TaskFilter['state']): number {
  if (state === 'all') return open + done;
  return state === 'open' ? open : done;
}

const kinds = {
  embedded: { word: 'Stored on this machine', icon: HardDrive },
  nats: { word: 'Shared over NATS', icon: Network },
} as const;

function StorageButton(): ReactNode {
  const { data: storage } = useQuery(taskStorageQuery);
  const [isOpen, setOpen] = useState(false);
  if (storage === undefined) return null;
  const { word, icon: Icon } = kinds[storage.backend];
  return (
    <>
      <Button size="small" icon={Icon} onClick={() => setOpen(true)}>
        {word}
      </Button>
      <Dialog title="Task storage" isOpen={isOpen} onClose={() => setOpen(false)}>
        <Facts storage={storage} />
      </Dialog>
    </>
  );
}

function Facts({ storage }: { readonly storage: TaskStorage }): ReactNode {
  const { backend, where, durability, lacks, replication } = storage;
  return (
    <div className="grid gap-4">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2">
        <dt className="text-muted">Status</dt>
        <dd>
          <State />
        </dd>
        <dt className="text-muted">Location</dt>
        <dd className="font-mono text-[13px] break-all">{where}</dd>
        <dt className="text-muted">Durability</dt>
        <dd>{durability}</dd>
        {replication.map(({ bucket, replicas, leader, followers }) => (
          <Fragment key={bucket}>
            <dt className="text-muted">{bucket}</dt>
            <dd>
              {count(replicas, 'replica')}
              {replicas > 1 && `, ${leader === null ? 'no leader' : `leader ${leader}`}`}
              {followers.map(({ name, is_current: isCurrent, lag }) =>
                isCurrent ? `, ${name} is current` : `, ${name} is ${count(lag, 'change')} behind`,
              )}
            </dd>
          </Fragment>
        ))}
      </dl>
      {lacks.length > 0 && (
        <div>
          <p className="text-muted">This version of the NATS server has limitations:</p>
          <ul className="mt-1 list-disc pl-5">
            {lacks.map((lack) => (
              <li key={lack}>{lack}</li>
            ))}
          </ul>
        </div>
      )}
      {backend === 'embedded' && (
        <p className="text-muted">
          To share tasks between machines, start <code className="font-mono text-[13px]">holdfast serve</code> with
          UTASK_NATS_URL set to a NATS server, and copy the tasks with{' '}
          <code className="font-mono text-[13px]">ut move</code>.
        </p>
      )}
    </div>
  );
}

function State(): ReactNode {
  const counts = useQuery(taskCountsQuery);
  const live = useStore(liveState);
  if (counts.isError) return <Badge tone="bad">Unreachable</Badge>;
  if (live === 'live') return <Badge tone="good">Connected, live</Badge>;
  return <Badge tone="paused">Connected, live updates paused</Badge>;
}
