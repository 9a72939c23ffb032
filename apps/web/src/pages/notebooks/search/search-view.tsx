import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Search, SearchX, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useCallback, useMemo, useRef, useState } from 'react';

import {
  notebooksQuery,
  type NoteSearch,
  propertiesQuery,
  searchQuery,
  tagsQuery,
} from '../../../api/codex-queries.ts';
import type { SearchHit } from '../../../api/types.ts';
import { useRows } from '../../../api/use-rows.ts';
import { type Filters, useFilters } from '../../../lib/filters.ts';
import { count } from '../../../lib/format.ts';
import { Announce } from '../../../ui/announce.tsx';
import { Tag, Time } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Choice, controlClass, Field, Form, SearchBox, Segments } from '../../../ui/field.tsx';
import { Card, EmptyState, Failure, Page, Skeleton } from '../../../ui/page.tsx';
import { type ListControls, VirtualList } from '../../../ui/virtual-list.tsx';
import { chipsOf, isEmpty, searchOf, textOf } from './search-filters.ts';

const ROW_HEIGHT = 92;

const places = [
  { value: 'here', label: 'This notebook' },
  { value: 'all', label: 'All notebooks' },
] as const;

export function SearchView({ id }: { readonly id: string }): ReactNode {
  const { data: notebooks } = useQuery(notebooksQuery);
  const [filters, change] = useFilters();
  const search = useMemo(() => searchOf(filters), [filters]);
  const type = useCallback((q: string) => change({ q }), [change]);
  const list = useRef<ListControls>(null);
  const name = notebooks?.find((each) => String(each.id) === id)?.name ?? 'the notebook';
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const from = placeOf(event.target);
    if (step === undefined || from === undefined) return;
    event.preventDefault();
    if (from + step < 0) document.querySelector<HTMLInputElement>('[data-search]')?.focus();
    else list.current?.reveal(from + step);
  };
  return (
    <Page
      title={search.isEverywhere ? 'Search all notebooks' : `Search ${name}`}
      description={
        <>
          Search by words, &quot;phrases&quot; or <span className="whitespace-nowrap">-excluded</span> words. Arrow keys
          move through the results.
        </>
      }
    >
      {/* Arrow keys move through the results from any element in this area. */}
      <div role="search" onKeyDown={onKeyDown} className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <div className="flex flex-wrap gap-2">
          <SearchBox label="Search notes" value={filters['q'] ?? ''} onChange={type} />
          {(notebooks?.length ?? 0) > 1 && (
            <Segments
              label="Where to search"
              value={search.isEverywhere ? 'all' : 'here'}
              options={places}
              onChange={(place) => change({ in: place === 'all' ? 'all' : '' }, true)}
            />
          )}
        </div>
        <FilterBar id={id} search={search} onChange={(next) => change(next, true)} />
        <Chips search={search} onChange={(next) => change(next, true)} />
        <Card isFlush>
          <Found id={id} search={search} list={list} />
        </Card>
      </div>
    </Page>
  );
}

/** Returns -1 for the search box and the row number for a result; undefined for other elements. */
function placeOf(target: EventTarget): number | undefined {
  if (!(target instanceof Element)) return undefined;
  if (target.matches('[data-search]')) return -1;
  const row = target.closest('[data-row]')?.closest<HTMLElement>('[data-index]');
  return row === null || row === undefined ? undefined : Number(row.dataset['index']);
}

interface ChipsProps {
  readonly search: NoteSearch;
  readonly onChange: (filters: Readonly<Record<string, string>>) => void;
}

function Chips({ search, onChange }: ChipsProps): ReactNode {
  const chips = chipsOf(search);
  if (chips.length === 0) return null;
  return (
    <ul aria-label="Active filters" className="flex flex-wrap gap-2">
      {chips.map(({ label, without }) => (
        <li key={label}>
          <button
            type="button"
            onClick={() => onChange(without)}
            className="flex h-8 max-w-full items-center gap-1.5 rounded-full bg-accent-soft pr-2 pl-3 text-[13px] font-medium text-accent-strong"
          >
            <span className="sr-only">Remove </span>
            <span className="truncate">{label}</span>
            <X className="size-3.5 shrink-0" aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  );
}

interface FoundProps {
  readonly id: string;
  readonly search: NoteSearch;
  readonly list: React.RefObject<ListControls | null>;
}

function Found({ id, search, list }: FoundProps): ReactNode {
  const isAsked = !isEmpty(search);
  const query = useInfiniteQuery({ ...searchQuery(id, search), enabled: isAsked });
  const { data, hasNextPage } = query;
  const { rows: hits, more } = useRows(query);
  if (!isAsked) {
    return (
      <EmptyState icon={Search} title="Search as you type">
        <p>
          Searches the text and properties of all notes, ignoring accents. You can also filter by tag, property or date.
        </p>
      </EmptyState>
    );
  }
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (data === undefined) return <Skeleton lines={6} />;
  const told =
    hits.length === 0 ? 'No results' : hasNextPage ? `${hits.length} or more results` : count(hits.length, 'result');
  return (
    <>
      <Announce text={query.isPlaceholderData ? '' : told} />
      {hits.length === 0 ? (
        <EmptyState icon={SearchX} title="No matching notes">
          <p>Try fewer or shorter words, or remove a filter.</p>
        </EmptyState>
      ) : (
        <VirtualList
          label="Search results"
          rows={hits}
          rowHeight={ROW_HEIGHT}
          keyOf={({ file }) => file.id}
          onEnd={more}
          controls={list}
          render={(hit) => <HitRow hit={hit} isEverywhere={search.isEverywhere} />}
        />
      )}
    </>
  );
}

const TAGS_SHOWN = 4;

interface HitRowProps {
  readonly hit: SearchHit;
  readonly isEverywhere: boolean;
}

function HitRow({ hit: { file, notebook, snippet }, isEverywhere }: HitRowProps): ReactNode {
  return (
    <Link
      to="/notebooks/$id/files/$file"
      params={{ id: String(file.notebook_id), file: file.id }}
      data-row
      className="grid gap-1 px-5 py-3 -outline-offset-2 hover:bg-sunken focus:bg-sunken"
    >
      <span className="flex flex-wrap items-baseline gap-x-3">
        <span className="min-w-0 font-medium break-words">{file.title ?? file.filename}</span>
        <span className="min-w-0 flex-1 basis-40 truncate text-[13px] text-muted">
          {isEverywhere ? `${notebook}: ${file.path}` : file.path}
        </span>
        <span className="text-[13px] text-muted">
          <Time at={file.updated_at} />
        </span>
      </span>
      {snippet.length > 0 && (
        <span className="line-clamp-2 text-[13px] break-words text-muted">
          {snippet.map(({ text, hit }, at) =>
            hit ? (
              <mark key={at} className="rounded-xs bg-warn-soft font-medium text-warn">
                {text}
              </mark>
            ) : (
              text
            ),
          )}
        </span>
      )}
      {file.tags.length > 0 && (
        <span className="flex flex-wrap gap-1.5">
          {file.tags.slice(0, TAGS_SHOWN).map((tag) => (
            <Tag key={tag}>#{tag}</Tag>
          ))}
        </span>
      )}
    </Link>
  );
}

interface FilterBarProps {
  readonly id: string;
  readonly search: NoteSearch;
  readonly onChange: (filters: Filters) => void;
}

function FilterBar({ id, search, onChange }: FilterBarProps): ReactNode {
  const { data: tags = [] } = useQuery(tagsQuery(id));
  const left = tags.filter(({ tag }) => !search.tags.includes(tag));
  return (
    <details className="rounded-xl border border-line bg-surface px-4 py-2.5">
      <summary className="text-[13px] font-medium">Filter by tag, property, folder or time</summary>
      <div className="mt-3 grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        <Choice
          label="Tag"
          value=""
          options={[
            { value: '', label: left.length === 0 ? 'No more tags' : 'Any' },
            ...left.map(({ tag, count: notes }) => ({ value: tag, label: `#${tag} (${count(notes)})` })),
          ]}
          onChange={(tag) => onChange({ tag: textOf([...search.tags, tag].filter((each) => each !== '')) })}
        />
        <Field label="Folder" value={search.path} placeholder="Anywhere" onChange={(path) => onChange({ path })} />
        <Field label="Changed since" type="date" value={search.after} onChange={(after) => onChange({ after })} />
        <Field label="Changed until" type="date" value={search.before} onChange={(before) => onChange({ before })} />
        <PropertyFilter id={id} search={search} onChange={onChange} />
      </div>
    </details>
  );
}

function PropertyFilter({ id, search, onChange }: FilterBarProps): ReactNode {
  const { data: properties = [] } = useQuery(propertiesQuery(id));
  const [key, setKey] = useState('');
  const [value, setValue] = useState('');
  if (properties.length === 0) return null;
  return (
    <Form
      className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-end gap-2 sm:col-span-2"
      onSubmit={() => {
        if (key === '' || value === '') return;
        onChange({ property: textOf([...search.properties, `${key}:${value}`]) });
        setValue('');
      }}
    >
      <Choice
        label="Property"
        value={key}
        options={[
          { value: '', label: 'Select' },
          ...properties.map((each) => ({ value: each.key, label: `${each.key} (${count(each.count)})` })),
        ]}
        onChange={setKey}
      />
      <input
        aria-label="Property value"
        placeholder="Value"
        className={controlClass}
        value={value}
        onChange={({ target }) => setValue(target.value)}
      />
      <Button type="submit">Add filter</Button>
    </Form>
  );
}
