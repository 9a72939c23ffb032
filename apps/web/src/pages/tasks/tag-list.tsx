import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { TaskCounts } from '../../api/types.ts';
import { type TaskFilter, taskCountsQuery } from '../../api/utask-queries.ts';
import { count } from '../../lib/format.ts';
import { Segments } from '../../ui/segments.tsx';

interface TagListProps {
  readonly filter: TaskFilter;
  readonly onTags: (tags: readonly string[]) => void;
  readonly onMatch: (match: TaskFilter['match']) => void;
}

const matches = [
  { value: 'any', label: 'Any tag' },
  { value: 'all', label: 'All tags' },
] as const;

/** Tags with their number of tasks; selected tags filter the list. */
export function TagList({ filter, onTags, onMatch }: TagListProps): ReactNode {
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
