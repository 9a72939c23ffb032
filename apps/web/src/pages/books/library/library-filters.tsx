import { useQuery } from '@tanstack/react-query';
import { ArrowDownWideNarrow, ArrowUpNarrowWide, X } from 'lucide-react';
import { type ReactNode, useCallback } from 'react';

import { authorQuery, librariesQuery, seriesQuery } from '../../../api/audiobooks-queries.ts';
import type { BookFilter } from '../../../api/types.ts';
import type { Filters } from '../../../lib/filters.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Choice } from '../../../ui/field.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { isDescending, sorts, states } from './filter.ts';

interface LibraryFiltersProps {
  readonly filter: BookFilter;
  readonly onChange: (change: Filters, isStep?: boolean) => void;
}

/** Filters and sort order, stored in the address. */
export function LibraryFilters({ filter, onChange }: LibraryFiltersProps): ReactNode {
  const libraries = useQuery(librariesQuery).data ?? [];
  const search = useCallback((q: string) => onChange({ q }), [onChange]);
  const isDown = isDescending(filter);
  return (
    <div className="grid gap-3">
      <div className="grid gap-3 md:flex md:items-center">
        <SearchBox label="Search titles, authors, series, narrators" value={filter.q ?? ''} onChange={search} />
        <div className="flex flex-wrap gap-3 *:min-w-36 *:flex-1 md:*:flex-none">
          {libraries.length > 1 && (
            <Choice
              label="Library"
              isLabelHidden
              value={filter.library ?? ''}
              options={[
                { value: '', label: 'All libraries' },
                ...libraries.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              onChange={(library) => onChange({ library }, true)}
            />
          )}
          <Choice
            label="Status"
            isLabelHidden
            value={states.find(({ value }) => value === filter.state)?.value ?? ''}
            options={states}
            onChange={(state) => onChange({ state }, true)}
          />
          <div className="flex gap-1">
            <div className="min-w-0 flex-1">
              <Choice
                label="Sort by"
                isLabelHidden
                value={sorts.find(({ value }) => value === filter.sort)?.value ?? 'title'}
                options={sorts}
                onChange={(sort) => onChange({ sort: sort === 'title' ? '' : sort, order: '' }, true)}
              />
            </div>
            <IconButton
              label={isDown ? 'Sort ascending' : 'Sort descending'}
              onClick={() => onChange({ order: isDown ? 'asc' : 'desc' }, true)}
            >
              {isDown ? (
                <ArrowDownWideNarrow className="size-4" aria-hidden />
              ) : (
                <ArrowUpNarrowWide className="size-4" aria-hidden />
              )}
            </IconButton>
          </div>
        </div>
      </div>
      <Narrowed filter={filter} onChange={onChange} />
    </div>
  );
}

const plain = ['narrator', 'genre', 'tag', 'language'] as const;

/** Filters set by links on other pages, each with a remove button. */
function Narrowed({ filter, onChange }: LibraryFiltersProps): ReactNode {
  const author = useQuery({ ...authorQuery(filter.author ?? ''), enabled: filter.author !== undefined }).data?.name;
  const series = useQuery({ ...seriesQuery(filter.series ?? ''), enabled: filter.series !== undefined }).data?.name;
  const chips = [
    ...(filter.author === undefined ? [] : [{ name: 'author', value: author ?? '…' }]),
    ...(filter.series === undefined ? [] : [{ name: 'series', value: series ?? '…' }]),
    ...plain.flatMap((name) => (filter[name] === undefined ? [] : [{ name, value: filter[name] }])),
  ];
  if (chips.length === 0) return null;
  return (
    <ul aria-label="Active filters" className="flex flex-wrap gap-2">
      {chips.map(({ name, value }) => (
        <li key={name}>
          <button
            type="button"
            aria-label={`Remove filter ${name}: ${value}`}
            onClick={() => onChange({ [name]: '' }, true)}
            className="flex h-8 max-w-72 items-center gap-1.5 rounded-full bg-accent-soft pr-2 pl-3 text-[13px] text-accent-strong"
          >
            <span dir="auto" className="truncate">
              {name}: {value}
            </span>
            <X className="size-3.5 shrink-0" aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  );
}
