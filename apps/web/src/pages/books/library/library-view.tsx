import { LayoutGrid, List } from 'lucide-react';
import { type ReactNode, useCallback, useMemo, useState } from 'react';

import { count } from '../../../lib/format.ts';
import { useFilters } from '../../../lib/search.ts';
import { Announce } from '../../../ui/announce.tsx';
import { Page } from '../../../ui/page.tsx';
import { RunningOperations } from '../operations/running.tsx';
import { BookGrid } from './book-grid.tsx';
import { filterOf } from './filter.ts';
import { LibraryFilters } from './library-filters.tsx';
import { type Look, rememberedLook, rememberLook } from './look.ts';

export function View(): ReactNode {
  const [filters, change] = useFilters();
  const [total, setTotal] = useState<number>();
  const filter = useMemo(() => filterOf(filters), [filters]);
  const look = filters['look'] === 'list' || filters['look'] === 'grid' ? filters['look'] : rememberedLook();
  const setLook = useCallback(
    (next: Look) => {
      rememberLook(next);
      change({ look: next });
    },
    [change],
  );
  const said = total === undefined ? '' : count(total, 'book');
  return (
    <Page
      title="Library"
      description={said === '' ? 'All books' : said}
      actions={<LookButtons look={look} onChange={setLook} />}
    >
      <RunningOperations />
      <LibraryFilters filter={filter} onChange={change} />
      <BookGrid key={JSON.stringify(filter)} filter={filter} look={look} onTotal={setTotal} />
      <Announce text={said} />
    </Page>
  );
}

const looks = [
  { value: 'grid', label: 'Covers', icon: LayoutGrid },
  { value: 'list', label: 'List', icon: List },
] as const;

function LookButtons({ look, onChange }: { readonly look: Look; readonly onChange: (look: Look) => void }): ReactNode {
  return (
    <div role="group" aria-label="Show as" className="flex rounded-lg border border-line bg-surface p-0.5">
      {looks.map(({ value, label, icon: Icon }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === look}
          onClick={() => onChange(value)}
          className={`flex h-8 items-center gap-2 rounded-md px-3 text-[13px] font-medium ${
            value === look ? 'bg-accent-soft text-accent-strong' : 'text-muted hover:text-text'
          }`}
        >
          <Icon className="size-4" aria-hidden />
          {label}
        </button>
      ))}
    </div>
  );
}
