import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { type ReactNode, useCallback, useState } from 'react';

import { type GroupKind, groupsQuery, seriesQuery } from '../../../api/audiobooks-queries.ts';
import type { Group, Series } from '../../../api/types.ts';
import { useRows } from '../../../api/use-rows.ts';
import { useFilters } from '../../../lib/filters.ts';
import { count } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { SearchBox } from '../../../ui/field.tsx';
import { Card, EmptyState, Loaded, NotLoaded, Page } from '../../../ui/page.tsx';
import { VirtualList } from '../../../ui/virtual-list.tsx';
import { useRights } from '../actions.ts';
import { BookCard, BookCards, BooksLink, type BooksTarget } from '../book-list.tsx';
import { AuthorView, MergeGroupDialog } from './author-view.tsx';

/** Narrators, genres and tags have no page of their own; their links filter the library. */
const targets: Readonly<Record<GroupKind, (group: Group) => BooksTarget>> = {
  authors: ({ id }) => ({ view: 'authors', id }),
  series: ({ id }) => ({ view: 'series', id }),
  narrators: ({ name }) => ({ view: 'library', search: { narrator: name } }),
  genres: ({ name }) => ({ view: 'library', search: { genre: name } }),
  tags: ({ name }) => ({ view: 'library', search: { tag: name } }),
};

export function AuthorsView({ id }: { readonly id: string | undefined }): ReactNode {
  if (id !== undefined) return <AuthorView id={id} />;
  return <GroupsPage kind="authors" title="Authors" description="All authors in the library" />;
}

export function SeriesView({ id }: { readonly id: string | undefined }): ReactNode {
  if (id !== undefined) return <OneSeries id={id} />;
  return <GroupsPage kind="series" title="Series" description="All series, with the books you are missing" />;
}

export function NarratorsView(): ReactNode {
  return <GroupsPage kind="narrators" title="Narrators" description="All narrators and their books" />;
}

export function GenresView(): ReactNode {
  return (
    <Page title="Genres and tags" description="Genres from metadata, and your own tags">
      <div className="grid items-start gap-6 md:grid-cols-2">
        <Card title="Genres" isFlush>
          <GroupsList kind="genres" label="Genres" q="" />
        </Card>
        <Card title="Tags" isFlush>
          <GroupsList kind="tags" label="Tags" q="" none="Edit a book to add the first tag." />
        </Card>
      </div>
    </Page>
  );
}

interface GroupsPageProps {
  readonly kind: GroupKind;
  readonly title: string;
  readonly description: string;
}

function GroupsPage({ kind, title, description }: GroupsPageProps): ReactNode {
  const [{ q = '' }, change] = useFilters();
  const search = useCallback((next: string) => change({ q: next }), [change]);
  return (
    <Page title={title} description={description}>
      <SearchBox label={`Search ${title.toLowerCase()}`} value={q} onChange={search} />
      <Card isFlush>
        <GroupsList kind={kind} label={title} q={q} />
      </Card>
    </Page>
  );
}

interface GroupsListProps {
  readonly kind: GroupKind;
  readonly label: string;
  readonly q: string;
  /** Text for an empty list: how to add the first entry. */
  readonly none?: string;
}

const ROW_HEIGHT = 45;

function GroupsList({
  kind,
  label,
  q,
  none = 'They appear here after you scan a library on the Home tab.',
}: GroupsListProps): ReactNode {
  const query = useInfiniteQuery(groupsQuery(kind, q));
  const { rows, more } = useRows(query);
  if (query.data === undefined) return <NotLoaded query={query} lines={6} />;
  if (rows.length === 0) {
    return (
      <EmptyState
        icon={SearchX}
        title={q === '' ? `No ${label.toLowerCase()} yet` : `No matching ${label.toLowerCase()}`}
      >
        <p>{q === '' ? none : 'Try another part of the name.'}</p>
      </EmptyState>
    );
  }
  return (
    <VirtualList
      label={label}
      rows={rows}
      rowHeight={ROW_HEIGHT}
      keyOf={({ id }) => id}
      onEnd={more}
      render={(group) => (
        <BooksLink
          {...targets[kind](group)}
          title={group.name}
          className="flex items-center gap-4 px-5 py-3 leading-5 -outline-offset-2 hover:bg-sunken"
        >
          <bdi className="min-w-0 flex-1 truncate font-medium">{group.name}</bdi>
          <span className="shrink-0 text-[13px] text-muted tabular-nums">{count(group.books, 'book')}</span>
        </BooksLink>
      )}
    />
  );
}

/** The books of a series in order, with placeholders for missing ones. */
function OneSeries({ id }: { readonly id: string }): ReactNode {
  const series = useQuery(seriesQuery(id));
  const { edit } = useRights();
  const [isMerging, setMerging] = useState(false);
  const { data } = series;
  return (
    <Page
      title={data?.name ?? 'Series'}
      description={
        data && `${count(data.books.length, 'book')}${data.gaps.length === 0 ? '' : `, ${data.gaps.length} missing`}`
      }
      actions={edit && <Button onClick={() => setMerging(true)}>Merge series</Button>}
    >
      <Loaded query={series}>
        {(found) => (
          <>
            <BookCards label="Books in this series">
              {withGaps(found).map((entry) =>
                typeof entry === 'string' ? (
                  <li
                    key={`missing ${entry}`}
                    className="grid aspect-square place-items-center rounded-lg border-2 border-dashed border-line-strong p-2 text-center text-muted"
                  >
                    <span>
                      Missing: <span className="font-semibold">{entry}</span>
                    </span>
                  </li>
                ) : (
                  <li key={entry.id}>
                    <BookCard book={entry} mark={entry.sequence} />
                  </li>
                ),
              )}
            </BookCards>
            {isMerging && <MergeGroupDialog kind="series" group={found} onClose={() => setMerging(false)} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

type SeriesEntry = Series['books'][number] | string;

/** Returns the books of a series in the server's order, with entries for the missing numbers in between. */
export function withGaps({ books, gaps }: Pick<Series, 'books' | 'gaps'>): readonly SeriesEntry[] {
  const missing = [...gaps];
  const entries: SeriesEntry[] = [];
  for (const book of books) {
    while (missing[0] !== undefined && isBefore(missing[0], book.sequence)) entries.push(missing.shift() ?? '');
    entries.push(book);
  }
  return [...entries, ...missing];
}

/** Returns whether a missing number comes before a book. Books without a number come last. */
function isBefore(gap: string, sequence: string | null): boolean {
  return sequence === null || Number.parseFloat(gap) < Number.parseFloat(sequence);
}
