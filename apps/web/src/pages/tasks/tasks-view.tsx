import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useMemo, useRef } from 'react';

import { useRows } from '../../api/use-rows.ts';
import { taskCountsQuery, tasksQuery } from '../../api/utask-queries.ts';
import { useMay } from '../../lib/permissions.ts';
import { useFilters } from '../../lib/filters.ts';
import { Card } from '../../ui/card.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { Segments } from '../../ui/segments.tsx';
import { QuickAdd } from './quick-add.tsx';
import { TagList } from './tag-list.tsx';
import { filterOf } from './task-filter.ts';
import { TaskList } from './task-list.tsx';
import { useEditor } from './use-editor.ts';
import { useTaskActions } from './use-task-actions.ts';
import { useTaskKeys } from './use-task-keys.ts';

export function TasksView(): ReactNode {
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
  const { active, controls } = useTaskKeys({ tasks, mayChange, finish, remove, newTask, editor });
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
        </div>
        <Card isFlush>
          <TaskList
            query={query}
            tasks={tasks}
            active={active}
            editor={editor}
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
