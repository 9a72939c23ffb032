import type { Task } from '../../api/types.ts';
import type { TaskFilter } from '../../api/utask-queries.ts';
import type { Filters } from '../../lib/filters.ts';

/** `?state=done&tags=home,urgent&match=all&text=milk`; defaults to open tasks. */
export function filterOf({ state, tags = '', match, text = '' }: Filters): TaskFilter {
  return {
    state: state === 'done' || state === 'all' ? state : 'open',
    tags: tags.split(',').filter((tag) => tag !== ''),
    match: match === 'all' ? 'all' : 'any',
    search: text,
  };
}

/** The server's filter rules, for tasks from the event stream. */
export function matches({ state, tags, match, search }: TaskFilter, task: Task): boolean {
  if (state !== 'all' && task.done !== (state === 'done')) return false;
  const has = (tag: string): boolean => task.tags.includes(tag);
  if (tags.length > 0 && !(match === 'any' ? tags.some(has) : tags.every(has))) return false;
  return task.text.toLowerCase().includes(search.toLowerCase());
}
