import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Activity, ChevronRight } from 'lucide-react';
import { type ReactNode, useCallback, useMemo, useState } from 'react';

import { activityQuery, databasesQuery } from '../../api/queries.ts';
import type { Change, Commit } from '../../api/types.ts';
import { recordsFirst } from '../../lib/changes.ts';
import { useFilters } from '../../lib/filters.ts';
import { count, shortKey } from '../../lib/format.ts';
import { useStore } from '../../lib/store.ts';
import { liveCommits } from '../../live/activity-stream.ts';
import { Tag, Time } from '../../ui/badge.tsx';
import { Command } from '../../ui/button.tsx';
import { Changes } from '../../ui/changes.tsx';
import { Choice, SearchBox } from '../../ui/field.tsx';
import { Card, EmptyState, Failure, Skeleton } from '../../ui/page.tsx';
import { VirtualList } from '../../ui/virtual-list.tsx';

const ROW_HEIGHT = 67;

/** Every commit in every database, for people who investigate a problem. */
export function CommitsView(): ReactNode {
  const [{ database = '', text = '' }, change] = useFilters();
  const { data: databases = [] } = useQuery(databasesQuery);
  const search = useCallback((typed: string) => change({ text: typed }), [change]);
  const options = [
    { value: '', label: 'All databases' },
    ...databases.map(({ name }) => ({ value: name as string, label: name as string })),
  ];
  return (
    <>
      <p className="text-muted">Live commits to all databases. Select a commit to see its changes.</p>
      <div className="flex flex-col gap-3 sm:flex-row">
        <div className="sm:w-48">
          <Choice
            label="Database"
            isLabelHidden
            value={database}
            options={options}
            onChange={(chosen) => change({ database: chosen })}
          />
        </div>
        <SearchBox label="Filter by key, value or note" value={text} onChange={search} />
      </div>
      <Commits database={database} text={text} />
    </>
  );
}

function Commits({ database, text }: { readonly database: string; readonly text: string }): ReactNode {
  const { commits, isLoading, error, loadOlder } = useCommits(database, text);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string): void => {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  };
  if (commits.length === 0) {
    return (
      <Card isFlush>
        {error !== null ? <Failure error={error} /> : isLoading ? <Skeleton lines={6} /> : <Nothing />}
      </Card>
    );
  }
  return (
    <Card isFlush>
      <p role="status" className="border-b border-line px-5 py-2 text-[13px] text-muted">
        {count(commits.length, 'commit')}
      </p>
      <VirtualList
        label="Commits"
        rows={commits}
        rowHeight={ROW_HEIGHT}
        keyOf={commitId}
        onEnd={loadOlder}
        render={(commit) => (
          <CommitRow commit={commit} isOpen={open.has(commitId(commit))} onToggle={() => toggle(commitId(commit))} />
        )}
      />
    </Card>
  );
}

function Nothing(): ReactNode {
  return (
    <EmptyState icon={Activity} title="No matching commits">
      <p>Change the filters, or run a command that makes a commit, for example:</p>
      <Command text="np start" />
    </EmptyState>
  );
}

interface CommitRowProps {
  readonly commit: Commit;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function CommitRow({ commit, isOpen, onToggle }: CommitRowProps): ReactNode {
  const { database, revision, at, note, total, changes } = commit;
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        className="flex w-full items-center gap-3 px-5 py-3 text-left -outline-offset-2 hover:bg-sunken"
      >
        <ChevronRight
          className={`size-4 shrink-0 text-muted transition-transform ${isOpen ? 'rotate-90' : ''}`}
          aria-hidden
        />
        <span className="grid min-w-0 flex-1 gap-1">
          <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <Tag>{database}</Tag>
            <span className="font-medium tabular-nums">#{revision}</span>
            {note !== null && <span className="min-w-0 truncate">{note}</span>}
            <span className="text-[13px] text-muted">{count(total, 'change')}</span>
          </span>
          <span className="truncate font-mono text-xs text-muted">{summary(changes)}</span>
        </span>
        <span className="shrink-0 text-[13px] text-muted">
          <Time at={at} />
        </span>
      </button>
      {isOpen && (
        <div className="px-5 py-5 sm:pl-12">
          <Changes commit={commit} />
        </div>
      )}
    </div>
  );
}

const signs = { insert: '+', update: '~', delete: '−' } as const;
const SUMMARISED = 12;

function summary(changes: readonly Change[]): string {
  const shown = recordsFirst(changes).slice(0, SUMMARISED);
  return shown.map(({ operation, key }) => `${signs[operation]} ${shortKey(key)}`).join('   ');
}

const PAGE = 100;
const MOST = 6_400;

/**
 * Returns the commits of one database, or of all, newest first: loaded commits and those that arrived later, without
 * duplicates.
 */
function useCommits(database: string, text: string) {
  const [atMost, setAtMost] = useState(PAGE);
  const { data: databases = [], error, isPending } = useQuery(databasesQuery);
  const chosen = databases.filter(({ name, problem }) => problem === null && (database === '' || name === database));
  const read = useQueries({ queries: chosen.map(({ name }) => activityQuery(name, atMost)), combine: joined });
  const live = useStore(liveCommits);
  const commits = useMemo(() => {
    const arrived = live.filter((commit) => database === '' || commit.database === database);
    const unique = new Map([...arrived, ...read.commits].map((commit) => [commitId(commit), commit]));
    const wanted = text.toLowerCase();
    return [...unique.values()].filter((commit) => matches(commit, wanted)).sort(newestFirst);
  }, [live, database, text, read.commits]);
  return {
    commits,
    isLoading: read.isLoading || isPending,
    error: error ?? read.error,
    loadOlder: () => {
      if (read.longest >= atMost && atMost < MOST) setAtMost(atMost * 2);
    },
  };
}

function commitId({ database, revision }: Commit): string {
  return `${database}.${revision}`;
}

function joined(read: readonly UseQueryResult<readonly Commit[]>[]) {
  return {
    commits: read.flatMap(({ data }) => data ?? []),
    longest: Math.max(0, ...read.map(({ data }) => data?.length ?? 0)),
    isLoading: read.some(({ isLoading }) => isLoading),
    error: read.find((query) => query.error !== null)?.error ?? null,
  };
}

function matches({ note, changes }: Commit, wanted: string): boolean {
  if (wanted === '') return true;
  const texts = [note, ...changes.flatMap(({ key, before, after }) => [key, before, after])];
  return texts.some((text) => text?.toLowerCase().includes(wanted) ?? false);
}

/** Sorts commits of one database by revision, because clocks may be set back. */
function newestFirst(left: Commit, right: Commit): number {
  if (left.database === right.database) return right.revision - left.revision;
  return Date.parse(right.at) - Date.parse(left.at);
}
