import { LayoutGrid, List } from 'lucide-react';
import { type ReactNode, useCallback, useMemo, useState } from 'react';

import { count } from '../../../lib/format.ts';
import { useFilters } from '../../../lib/filters.ts';
import { readStored, writeStored } from '../../../lib/storage.ts';
import { Announce } from '../../../ui/announce.tsx';
import { Page } from '../../../ui/page.tsx';
import { RunningOperations } from '../operations/running.tsx';
import { BookGrid } from './book-grid.tsx';
import type { Layout } from './book-cell.tsx';
import { filterOf } from './filter.ts';
import { LibraryFilters } from './library-filters.tsx';

const LAYOUT_KEY = 'holdfast.books.layout';

export function View(): ReactNode {
  const [filters, change] = useFilters();
  const [total, setTotal] = useState<number>();
  const filter = useMemo(() => filterOf(filters), [filters]);
  const layout = (filters['layout'] ?? readStored(LAYOUT_KEY)) === 'list' ? 'list' : 'grid';
  const setLayout = useCallback(
    (next: Layout) => {
      writeStored(LAYOUT_KEY, next);
      change({ layout: next });
    },
    [change],
  );
  const said = total === undefined ? '' : count(total, 'book');
  return (
    <Page
      title="Library"
      description={said === '' ? 'All books' : said}
      actions={<LayoutButtons layout={layout} onChange={setLayout} />}
    >
      <RunningOperations />
      <LibraryFilters filter={filter} onChange={change} />
      <BookGrid key={JSON.stringify(filter)} filter={filter} layout={layout} onTotal={setTotal} />
      <Announce text={said} />
    </Page>
  );
}

const layouts = [
  { value: 'grid', label: 'Covers', icon: LayoutGrid },
  { value: 'list', label: 'List', icon: List },
] as const;

interface LayoutButtonsProps {
  readonly layout: Layout;
  readonly onChange: (layout: Layout) => void;
}

function LayoutButtons({ layout, onChange }: LayoutButtonsProps): ReactNode {
  return (
    <div role="group" aria-label="Show as" className="flex rounded-lg border border-line bg-surface p-0.5">
      {layouts.map(({ value, label, icon: Icon }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === layout}
          onClick={() => onChange(value)}
          className={`flex h-8 items-center gap-2 rounded-md px-3 text-[13px] font-medium ${
            value === layout ? 'bg-accent-soft text-accent-strong' : 'text-muted hover:text-text'
          }`}
        >
          <Icon className="size-4" aria-hidden />
          {label}
        </button>
      ))}
    </div>
  );
}
