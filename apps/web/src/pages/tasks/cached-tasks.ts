import type { InfiniteData } from '@tanstack/react-query';

import type { Task, TaskPage } from '../../api/types.ts';
import type { TaskFilter } from '../../api/utask-queries.ts';
import type { Filters } from '../../lib/filters.ts';

export interface TaskChange {
  readonly id: string;
  /** Null if the task was deleted. */
  readonly task: Task | null;
}

type Pages = InfiniteData<TaskPage, string | undefined>;

/** Applies a change to a cached list, so that the client need not read a long list again. */
export function withChange(list: Pages, filter: TaskFilter, { id, task }: TaskChange): Pages {
  const isWanted = task !== null && matches(filter, task);
  const isKnown = list.pages.some(({ data }) => data.some((each) => each.id === id));
  if (isKnown) {
    const next = isWanted ? [task] : [];
    return mapPages(list, (data) => data.flatMap((each) => (each.id === id ? next : [each])));
  }
  return isWanted ? inserted(list, task) : list;
}

/** Inserts a task by age, newest first. Skips a task that belongs to a page that is not loaded yet. */
function inserted(list: Pages, task: Task): Pages {
  const at = list.pages.findIndex(
    ({ data, next_cursor: next }) => next === null || data.some((each) => isNewer(task, each)),
  );
  const pages = list.pages.map((page, index) => {
    if (index !== at) return page;
    const place = page.data.findIndex((each) => isNewer(task, each));
    return { ...page, data: page.data.toSpliced(place < 0 ? page.data.length : place, 0, task) };
  });
  return { ...list, pages };
}

function mapPages(list: Pages, change: (data: readonly Task[]) => Task[]): Pages {
  const pages = list.pages.map((page) => ({ ...page, data: change(page.data) }));
  return { ...list, pages };
}

function isNewer(left: Task, right: Task): boolean {
  const difference = Date.parse(left.created) - Date.parse(right.created);
  return difference === 0 ? left.id > right.id : difference > 0;
}

/** Parses `?state=done&tags=home,urgent&match=all&text=milk`; the default is open tasks. */
export function filterOf({ state, tags = '', match, text = '' }: Filters): TaskFilter {
  return {
    state: state === 'done' || state === 'all' ? state : 'open',
    tags: tags.split(',').filter((tag) => tag !== ''),
    match: match === 'all' ? 'all' : 'any',
    search: text,
  };
}

/** Applies the same filter rules as the server, for tasks from the event stream. */
export function matches({ state, tags, match, search }: TaskFilter, task: Task): boolean {
  if (state !== 'all' && task.done !== (state === 'done')) return false;
  const has = (tag: string): boolean => task.tags.includes(tag);
  if (tags.length > 0 && !(match === 'any' ? tags.some(has) : tags.every(has))) return false;
  return task.text.toLowerCase().includes(search.toLowerCase());
}
