import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** Filters are plain text in the URL: `?database=np&text=alpha`. Empty filters are left out. */
export type Filters = Readonly<Record<string, string>>;

export function parseSearch(search: string): Filters {
  return Object.fromEntries(new URLSearchParams(search));
}

export function stringifySearch(filters: Readonly<Record<string, unknown>>): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) {
    if (typeof value === 'string' && value !== '') pairs.set(name, value);
  }
  return pairs.size === 0 ? '' : `?${pairs.toString()}`;
}

/** Returns the page's filters and a setter. With `isStep`, the back button undoes the change. */
export function useFilters(): readonly [Filters, (change: Filters, isStep?: boolean) => void] {
  const filters: Filters = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = useCallback(
    (changed: Filters, isStep: boolean = false): void => {
      const search = (old: Filters): Filters => ({ ...old, ...changed });
      void navigate({ to: '.', search: search, replace: !isStep });
    },
    [navigate],
  );
  return [filters, change];
}
