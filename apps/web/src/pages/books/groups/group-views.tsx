import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useState } from 'react';

import { type GroupKind, rightsQuery, seriesQuery } from '../../../api/audiobooks-queries.ts';
import type { Group } from '../../../api/types.ts';
import { count } from '../../../lib/format.ts';
import { useFilters } from '../../../lib/filters.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Page } from '../../../ui/page.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { BookCard } from '../book-card.tsx';
import type { ViewProps } from '../view-props.ts';
import { AuthorView } from './author-view.tsx';
import { Cards } from './book-cards.tsx';
import { GroupsList } from './groups-list.tsx';
import { MergeGroupDialog } from './merge-group-dialog.tsx';
import { withGaps } from './series-gaps.ts';

export function AuthorsView({ id }: ViewProps): ReactNode {
  if (id !== undefined) return <AuthorView id={id} />;
  return (
    <GroupsPage
      kind="authors"
      title="Authors"
      description="All authors in the library"
      target={({ id: author }) => ({ view: 'authors', id: author })}
    />
  );
}

export function SeriesView({ id }: ViewProps): ReactNode {
  if (id !== undefined) return <OneSeries id={id} />;
  return (
    <GroupsPage
      kind="series"
      title="Series"
      description="All series, including missing books"
      target={({ id: series }) => ({ view: 'series', id: series })}
    />
  );
}

/** Books in order, with placeholders for missing ones. */
function OneSeries({ id }: { readonly id: string }): ReactNode {
  const series = useQuery(seriesQuery(id));
  const mayEdit = useQuery(rightsQuery).data?.can.edit ?? false;
  const [isMerging, setMerging] = useState(false);
  const { data } = series;
  return (
    <Page
      title={data?.name ?? 'Series'}
      description={
        data === undefined
          ? undefined
          : `${count(data.books.length, 'book')}${data.gaps.length === 0 ? '' : `, ${data.gaps.length} missing`}`
      }
      actions={mayEdit && <Button onClick={() => setMerging(true)}>Merge series</Button>}
    >
      <Loaded query={series}>
        {(found) => (
          <>
            <Cards label="Books in this series">
              {withGaps(found).map((place) =>
                typeof place === 'string' ? (
                  <li key={`missing ${place}`}>
                    <div className="grid aspect-square place-items-center rounded-lg border-2 border-dashed border-line-strong p-2 text-center text-muted">
                      <span>
                        Missing: <span className="font-semibold">{place}</span>
                      </span>
                    </div>
                  </li>
                ) : (
                  <li key={place.id}>
                    <BookCard book={place} mark={place.sequence ?? undefined} />
                  </li>
                ),
              )}
            </Cards>
            {isMerging && <MergeGroupDialog kind="series" group={found} onClose={() => setMerging(false)} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

export function NarratorsView(): ReactNode {
  return (
    <GroupsPage
      kind="narrators"
      title="Narrators"
      description="All narrators and their books"
      target={inLibrary('narrator')}
    />
  );
}

export function GenresView(): ReactNode {
  return (
    <Page title="Genres and tags" description="Genres from metadata, and your own tags">
      <div className="grid items-start gap-6 md:grid-cols-2">
        <Card title="Genres" isFlush>
          <GroupsList kind="genres" label="Genres" q="" target={inLibrary('genre')} />
        </Card>
        <Card title="Tags" isFlush>
          <GroupsList
            kind="tags"
            label="Tags"
            q=""
            none="Edit a book to add the first tag."
            target={inLibrary('tag')}
          />
        </Card>
      </div>
    </Page>
  );
}

interface GroupsPageProps {
  readonly kind: GroupKind;
  readonly title: string;
  readonly description: string;
  readonly target: Parameters<typeof GroupsList>[0]['target'];
}

function GroupsPage({ kind, title, description, target }: GroupsPageProps): ReactNode {
  const [{ q = '' }, change] = useFilters();
  const search = useCallback((next: string) => change({ q: next }), [change]);
  return (
    <Page title={title} description={description}>
      <SearchBox label={`Search ${title.toLowerCase()}`} value={q} onChange={search} />
      <Card isFlush>
        <GroupsList kind={kind} label={title} q={q} target={target} />
      </Card>
    </Page>
  );
}

/** Links to the library, for groups without their own page. */
function inLibrary(field: string): (group: Group) => { view: string; search: Readonly<Record<string, string>> } {
  return ({ name }) => ({ view: 'library', search: { [field]: name } });
}
