import { type ReactNode, useCallback } from 'react';

import type { DatabaseName } from '../../api/types.ts';
import { useFilters } from '../../lib/filters.ts';
import { Choice } from '../../ui/field.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { steps } from './grouping.ts';
import { KeyDetail } from './key-detail.tsx';
import { KeyList } from './key-list.tsx';

const views = [
  { value: 'folders', label: 'Folders' },
  { value: 'flat', label: 'All keys' },
] as const;

/** A keyspace below a prefix, with the selected key next to the list, or below it on narrow screens. */
export function Browser({ name }: { readonly name: DatabaseName }): ReactNode {
  const [{ prefix = '', key = '', view = '' }, change] = useFilters();
  const isFlat = view === 'flat';
  const go = (next: string): void => change({ prefix: next, key: '' }, true);
  const search = useCallback((typed: string) => change({ prefix: typed, key: '' }), [change]);
  return (
    <div className={`grid items-start gap-6 ${key === '' ? '' : 'lg:grid-cols-2'}`}>
      <div className={`grid min-w-0 gap-3 ${key === '' ? '' : 'max-lg:hidden'}`}>
        <div className="flex flex-col gap-3 sm:flex-row">
          <SearchBox label="Filter by prefix" value={prefix} onChange={search} />
          <div className="sm:w-36">
            <Choice
              label="View"
              isLabelHidden
              value={isFlat ? 'flat' : 'folders'}
              options={views}
              onChange={(next) => change({ view: next === 'flat' ? next : '' })}
            />
          </div>
        </div>
        <div className="overflow-hidden rounded-xl border border-line bg-surface">
          <div className="border-b border-line px-3.5 py-2">
            <Breadcrumb name={name} prefix={prefix} onGo={go} />
          </div>
          <KeyList
            key={`${prefix} ${view}`}
            name={name}
            prefix={prefix}
            isFlat={isFlat}
            chosen={key}
            onFolder={go}
            onKey={(next) => change({ key: next }, true)}
          />
        </div>
      </div>
      {key !== '' && <KeyDetail name={name} text={key} onClose={() => change({ key: '' }, true)} />}
    </div>
  );
}

interface BreadcrumbProps {
  readonly name: string;
  readonly prefix: string;
  readonly onGo: (prefix: string) => void;
}

function Breadcrumb({ name, prefix, onGo }: BreadcrumbProps): ReactNode {
  const way = ['', ...steps(prefix)];
  return (
    <nav aria-label="Current prefix" className="min-w-0 overflow-x-auto">
      <ol className="flex items-center font-mono text-[13px]">
        {way.map((step, at) => (
          <li key={step} className="flex items-center">
            <button
              type="button"
              onClick={() => onGo(step)}
              aria-current={at === way.length - 1 ? 'location' : undefined}
              className="rounded-md px-1.5 py-0.5 whitespace-nowrap text-accent-strong hover:bg-sunken"
            >
              {at === 0 ? name : step.slice(way[at - 1]?.length ?? 0)}
            </button>
          </li>
        ))}
        {prefix !== way.at(-1) && <li className="px-1 text-muted">{prefix.slice(way.at(-1)?.length ?? 0)}…</li>}
      </ol>
    </nav>
  );
}
