import { useQuery } from '@tanstack/react-query';
import { Activity } from 'lucide-react';
import { type ReactNode, useCallback, useState } from 'react';

import { databasesQuery } from '../../api/queries.ts';
import { count } from '../../lib/format.ts';
import { useFilters } from '../../lib/filters.ts';
import { Card } from '../../ui/card.tsx';
import { Command } from '../../ui/copy-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Choice } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { CommitRow } from './commit-row.tsx';
import { commitId, useCommits } from './use-commits.ts';

const ROW_HEIGHT = 67;

export function Component(): ReactNode {
  const [{ database = '', text = '' }, change] = useFilters();
  const { data: databases = [] } = useQuery(databasesQuery);
  const search = useCallback((typed: string) => change({ text: typed }), [change]);
  const options = [
    { value: '', label: 'All databases' },
    ...databases.map(({ name }) => ({ value: name as string, label: name as string })),
  ];
  return (
    <Page title="Activity" description="Commits of all databases, live. Select one to see its changes.">
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
    </Page>
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
      <p>Change the filters, or make a commit, for example:</p>
      <Command text="np start" />
    </EmptyState>
  );
}
