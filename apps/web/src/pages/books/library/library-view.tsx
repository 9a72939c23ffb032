import { useQuery } from '@tanstack/react-query';
import { ArrowDownWideNarrow, ArrowUpNarrowWide, X } from 'lucide-react';
import { type ReactNode, useCallback, useMemo, useState } from 'react';

import { authorQuery, librariesQuery, seriesQuery } from '../../../api/audiobooks-queries.ts';
import type { BookFilter } from '../../../api/types.ts';
import { type Filters, useFilters } from '../../../lib/filters.ts';
import { count } from '../../../lib/format.ts';
import { readStored, writeStored } from '../../../lib/storage.ts';
import { Announce } from '../../../ui/announce.tsx';
import { IconButton } from '../../../ui/button.tsx';
import { Choice, SearchBox, Segments } from '../../../ui/field.tsx';
import { Page } from '../../../ui/page.tsx';
import { RunningOperations } from '../operations/operation-list.tsx';
import { BookGrid, type Layout } from './book-grid.tsx';
import { filterOf, isDescending, sorts, states } from './filter.ts';

const LAYOUT_KEY = 'holdfast.books.layout';

export function View(): ReactNode {
  const [filters, change] = useFilters();
  const [total, setTotal] = useState<number>();
  const filter = useMemo(() => filterOf(filters), [filters]);
  const layout = (filters['layout'] ?? readStored(LAYOUT_KEY)) === 'list' ? 'list' : 'grid';
  const setLayout = (next: Layout): void => {
    writeStored(LAYOUT_KEY, next);
    change({ layout: next });
  };
  const totalText = total === undefined ? '' : count(total, 'book');
  return (
    <Page
      title="Library"
      description={totalText === '' ? 'All books' : totalText}
      actions={<Segments label="Show as" value={layout} options={layouts} onChange={setLayout} />}
    >
      <RunningOperations />
      <LibraryFilters filter={filter} onChange={change} />
      <BookGrid key={JSON.stringify(filter)} filter={filter} layout={layout} onTotal={setTotal} />
      <Announce text={totalText} />
    </Page>
  );
}

const layouts = [
  { value: 'grid', label: 'Covers' },
  { value: 'list', label: 'List' },
] as const;

interface LibraryFiltersProps {
  readonly filter: BookFilter;
  readonly onChange: (change: Filters, isStep?: boolean) => void;
}

function LibraryFilters({ filter, onChange }: LibraryFiltersProps): ReactNode {
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
            value={filter.state ?? ''}
            options={states}
            onChange={(state) => onChange({ state }, true)}
          />
          <div className="flex gap-1">
            <div className="min-w-0 flex-1">
              <Choice
                label="Sort by"
                isLabelHidden
                value={filter.sort ?? 'title'}
                options={sorts}
                onChange={(sort) => onChange({ sort: sort === 'title' ? '' : sort, order: '' }, true)}
              />
            </div>
            <IconButton
              label={isDown ? 'Sort ascending' : 'Sort descending'}
              icon={isDown ? ArrowDownWideNarrow : ArrowUpNarrowWide}
              onClick={() => onChange({ order: isDown ? 'asc' : 'desc' }, true)}
            />
          </div>
        </div>
      </div>
      <ActiveFilters filter={filter} onChange={onChange} />
    </div>
  );
}

const namedFilters = ['author', 'series', 'narrator', 'genre', 'tag', 'language'] as const;

/** Filters set by links on other pages, each with a remove button. */
function ActiveFilters({ filter, onChange }: LibraryFiltersProps): ReactNode {
  const author = useQuery({ ...authorQuery(filter.author ?? ''), enabled: filter.author !== undefined }).data?.name;
  const series = useQuery({ ...seriesQuery(filter.series ?? ''), enabled: filter.series !== undefined }).data?.name;
  // The URL contains the ids of authors and series; this shows their names.
  const shown = { ...filter, author: filter.author && (author ?? '…'), series: filter.series && (series ?? '…') };
  const chips = namedFilters.flatMap((name) => (shown[name] === undefined ? [] : [{ name, value: shown[name] }]));
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
            <bdi className="truncate">{`${name}: ${value}`}</bdi>
            <X className="size-3.5 shrink-0" aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  );
}
