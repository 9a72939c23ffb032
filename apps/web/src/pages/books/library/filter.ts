import type { BookFilter } from '../../../api/types.ts';
import type { Filters } from '../../../lib/filters.ts';

export const sorts = [
  { value: 'title', label: 'Title' },
  { value: 'author', label: 'Author' },
  { value: 'added', label: 'Date added' },
  { value: 'duration', label: 'Length' },
  { value: 'recent', label: 'Last played' },
] as const;

export const states = [
  { value: '', label: 'All books' },
  { value: 'unstarted', label: 'Not started' },
  { value: 'started', label: 'In progress' },
  { value: 'finished', label: 'Finished' },
  { value: 'missing', label: 'Files missing' },
  { value: 'deleted', label: 'Removed' },
] as const;

const plain = ['library', 'author', 'series', 'narrator', 'genre', 'tag', 'language', 'q'] as const;

export function filterOf(filters: Filters): BookFilter {
  const state = states.find(({ value }) => value === filters['state'])?.value ?? '';
  const sort = sorts.find(({ value }) => value === filters['sort'])?.value;
  const order = filters['order'] === 'asc' || filters['order'] === 'desc' ? filters['order'] : undefined;
  return {
    ...Object.fromEntries(plain.map((name) => [name, filters[name]?.trim() ?? '']).filter(([, value]) => value !== '')),
    ...(state === '' ? {} : { state }),
    ...(sort === undefined ? {} : { sort }),
    ...(order === undefined ? {} : { order }),
  };
}

/** Sorting by `added` or `recent` starts with the newest, unless the user reversed the order. */
export function isDescending({ sort, order }: BookFilter): boolean {
  return order === undefined ? sort === 'added' || sort === 'recent' : order === 'desc';
}

export function reversed(filter: BookFilter): BookFilter {
  return { ...filter, order: isDescending(filter) ? 'asc' : 'desc' };
}
