import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Database, FileText, Folder, KeyRound } from 'lucide-react';
import { type ReactNode, useCallback, useMemo } from 'react';

import { databasesQuery, keysQuery } from '../../api/queries.ts';
import type { DatabaseName } from '../../api/types.ts';
import { useMore } from '../../api/use-rows.ts';
import { useFilters } from '../../lib/filters.ts';
import { count } from '../../lib/format.ts';
import { Choice, SearchBox } from '../../ui/field.tsx';
import { Card, EmptyState, Loaded, NotLoaded, Page } from '../../ui/page.tsx';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { type Entry, flat, grouped, pastFolder, steps } from './grouping.ts';
import { KeyDetail } from './key-detail.tsx';

export function Component(): ReactNode {
  const databases = useQuery(databasesQuery);
  const { name }: { readonly name?: string } = useParams({ strict: false });
  const navigate = useNavigate();
  const names = (databases.data ?? []).filter(({ kind }) => kind === 'keyspace').map((each) => each.name);
  const chosen = names.find((each) => each === name) ?? (name === undefined ? names[0] : undefined);
  return (
    <Page
      title="Keys"
      description="Browse the keys and values of a keyspace like a folder tree."
      actions={
        chosen !== undefined && (
          <div className="w-48">
            <Choice
              label="Keyspace"
              isLabelHidden
              value={chosen}
              options={names.map((each) => ({ value: each, label: each }))}
              onChange={(next) => void navigate({ to: '/keys/$name', params: { name: next } })}
            />
          </div>
        )
      }
    >
      <Loaded query={databases}>
        {() => (chosen === undefined ? <Nothing name={name} /> : <Browser key={chosen} name={chosen} />)}
      </Loaded>
    </Page>
  );
}

function Nothing({ name }: { readonly name: string | undefined }): ReactNode {
  return (
    <Card>
      <EmptyState icon={Database} title={name === undefined ? 'No keyspace yet' : `Keyspace ${name} not found`}>
        <p>A keyspace is created when its application is first used.</p>
      </EmptyState>
    </Card>
  );
}

const views = [
  { value: 'folders', label: 'Folders' },
  { value: 'flat', label: 'All keys' },
] as const;

/** Shows the keys below a prefix. The selected key is next to the list, or below it on narrow screens. */
function Browser({ name }: { readonly name: DatabaseName }): ReactNode {
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

interface KeyListProps {
  readonly name: DatabaseName;
  readonly prefix: string;
  readonly isFlat: boolean;
  readonly chosen: string;
  readonly onFolder: (prefix: string) => void;
  readonly onKey: (key: string) => void;
}

const ROW_HEIGHT = 41;

function KeyList({ name, prefix, isFlat, chosen, onFolder, onKey }: KeyListProps): ReactNode {
  const place = isFlat ? { mode: 'flat' } : { mode: 'folders', skipOf: pastFolder(prefix) };
  const query = useInfiniteQuery(keysQuery({ name, prefix, ...place }));
  const { data } = query;
  const entries = useMemo(() => {
    const pages = data?.pages ?? [];
    return isFlat ? flat(pages) : grouped(pages, prefix);
  }, [data, isFlat, prefix]);
  const more = useMore(query);
  if (data === undefined) return <NotLoaded query={query} lines={6} />;
  if (entries.length === 0) {
    return (
      <EmptyState icon={KeyRound} title="No keys">
        <p>{prefix === '' ? 'This keyspace is empty.' : 'No key starts with this prefix.'}</p>
      </EmptyState>
    );
  }
  return (
    <VirtualList
      label="Keys"
      rows={entries}
      rowHeight={ROW_HEIGHT}
      keyOf={(entry) => (entry.kind === 'folder' ? `folder ${entry.prefix}` : entry.stored.key)}
      onEnd={more}
      render={(entry) => (
        <Row
          entry={entry}
          prefix={isFlat ? '' : (steps(prefix).at(-1) ?? '')}
          chosen={chosen}
          onFolder={onFolder}
          onKey={onKey}
        />
      )}
    />
  );
}

interface RowProps extends Pick<KeyListProps, 'prefix' | 'chosen' | 'onFolder' | 'onKey'> {
  readonly entry: Entry;
}

const rowClass = 'flex h-10 w-full items-center gap-3 px-5 text-left font-mono text-[13px] -outline-offset-2';

function Row({ entry, prefix, chosen, onFolder, onKey }: RowProps): ReactNode {
  if (entry.kind === 'folder') {
    return (
      <button type="button" onClick={() => onFolder(entry.prefix)} className={`${rowClass} hover:bg-sunken`}>
        <Folder className="size-4 shrink-0 text-accent" aria-hidden />
        <span className="min-w-0 flex-1 truncate">{entry.prefix.slice(prefix.length)}</span>
        <span className="shrink-0 font-sans text-xs text-muted">
          {count(entry.count)}
          {entry.isPartial && '+'} {entry.count === 1 && !entry.isPartial ? 'key' : 'keys'}
        </span>
      </button>
    );
  }
  const { key, value } = entry.stored;
  const isChosen = key === chosen;
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={() => onKey(key)}
      className={`${rowClass} ${isChosen ? 'bg-accent-soft' : 'hover:bg-sunken'}`}
    >
      <FileText className="size-4 shrink-0 text-muted" aria-hidden />
      <span className="max-w-[60%] shrink-0 truncate">{key.slice(prefix.length) || key}</span>
      <span className="min-w-0 flex-1 truncate text-right text-xs text-muted">{value.slice(0, 200)}</span>
    </button>
  );
}
