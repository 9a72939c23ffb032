import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Lock } from 'lucide-react';
import { type ComponentType, type ReactNode, Suspense, useEffect } from 'react';

import { rightsQuery } from '../../api/audiobooks-queries.ts';
import { booksApi } from '../../api/clients.ts';
import { queryClient } from '../../api/query-client.ts';
import type { Progress, Rights } from '../../api/types.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { batched } from '../../live/batched.ts';
import { createConnection } from '../../live/connection.ts';
import { refreshQueries } from '../../live/refresh-queries.ts';
import { followStream } from '../../live/streams.ts';
import { notifyPlayer } from '../../player/player.ts';
import { NotFound } from '../../shell/error-pages.tsx';
import { EmptyState, Skeleton } from '../../ui/page.tsx';
import { ViewTab, ViewTabs } from '../../ui/view-tabs.tsx';
import { useRights } from './actions.ts';

interface BooksView {
  readonly name: string;
  readonly label: string;
  readonly View: ComponentType<{ readonly id: string | undefined }>;
  /** Right that the view requires. */
  readonly needs?: keyof Rights['can'] | undefined;
}

function lazyView(
  name: string,
  label: string,
  load: () => Promise<Pick<BooksView, 'View'>>,
  needs?: keyof Rights['can'],
): BooksView {
  return { name, label, needs, View: lazyPart(async () => (await load()).View) };
}

const loadGroups = () => import('./groups/group-views.tsx');

const views: readonly BooksView[] = [
  lazyView('', 'Home', () => import('./home/home-view.tsx')),
  lazyView('library', 'Library', () => import('./library/library-view.tsx')),
  lazyView('authors', 'Authors', async () => ({ View: (await loadGroups()).AuthorsView })),
  lazyView('series', 'Series', async () => ({ View: (await loadGroups()).SeriesView })),
  lazyView('narrators', 'Narrators', async () => ({ View: (await loadGroups()).NarratorsView })),
  lazyView('genres', 'Genres', async () => ({ View: (await loadGroups()).GenresView })),
  lazyView('playlists', 'Playlists', () => import('./playlists/playlists-view.tsx')),
  lazyView('statistics', 'Statistics', () => import('./statistics/statistics-view.tsx')),
  lazyView('organise', 'Organise', () => import('./files/organise-view.tsx'), 'manage'),
  lazyView('merge', 'Merge files', () => import('./files/merge-view.tsx'), 'manage'),
  lazyView('correct', 'Correct books', () => import('./files/correct-view.tsx'), 'manage'),
  lazyView('duplicates', 'Duplicates', () => import('./files/duplicates-view.tsx'), 'manage'),
  lazyView('operations', 'Operations', () => import('./operations/operations-view.tsx'), 'manage'),
  lazyView('rights', 'Access', () => import('./rights/rights-view.tsx'), 'manage'),
];

/** The page of one book. Its id takes the place of a view name in the URL. */
const BookPage = lazyPart(async () => (await import('./book/book-view.tsx')).BookView);

const MatchPage = lazyPart(async () => (await import('./book/match-view.tsx')).MatchView);

const BOOK_ID = /^[0-9A-HJKMNP-TV-Z]{26}$/u;

/** Shows the view or the book in the URL. A book id never looks like a view name. */
export function Component(): ReactNode {
  const { view = '', id }: { readonly view?: string; readonly id?: string } = useParams({ strict: false });
  const { data: granted, isPending } = useQuery(rightsQuery);
  const rights = useRights();
  useEffect(() => followStream(bookStream, 'page'), []);
  const current = views.find(({ name }) => name === view);
  const needs = current?.needs;
  const isDenied = needs !== undefined && granted?.can[needs] === false;
  const isManaging = needs !== undefined && !isDenied;
  return (
    <div className="mx-auto grid w-full max-w-6xl grid-cols-[minmax(0,1fr)] gap-6">
      {rights.manage && <GroupTabs isManaging={isManaging} />}
      <ViewTabs label="Audiobooks" current={current?.name}>
        {views
          .filter((each) => (each.needs !== undefined) === isManaging)
          .filter((each) => each.needs === undefined || rights[each.needs])
          .map(({ name, label }) => (
            <li key={name}>
              <ViewTab to={name === '' ? '/books' : `/books/${name}`} search={{}} isCurrent={name === current?.name}>
                {label}
              </ViewTab>
            </li>
          ))}
      </ViewTabs>
      <Suspense fallback={<Skeleton lines={6} />}>
        {needs !== undefined && isPending ? (
          <Skeleton lines={6} />
        ) : isDenied ? (
          <NoAccess />
        ) : current !== undefined ? (
          <current.View key={`${view} ${id ?? ''}`} id={id} />
        ) : view === 'match' && id !== undefined ? (
          <MatchPage key={id} id={id} />
        ) : BOOK_ID.test(view) ? (
          <BookPage key={view} id={view} />
        ) : (
          <NotFound />
        )}
      </Suspense>
    </div>
  );
}

function NoAccess(): ReactNode {
  return (
    <>
      <h1 className="sr-only">No access</h1>
      <EmptyState icon={Lock} title="You don’t have access">
        <p>This page is for people who manage the libraries. Ask an administrator for access.</p>
      </EmptyState>
    </>
  );
}

/** Two groups of views: those for listeners, and those for people who manage the libraries. */
function GroupTabs({ isManaging }: { readonly isManaging: boolean }): ReactNode {
  return (
    <ViewTabs label="Browse or manage" current={isManaging ? 'manage' : 'browse'}>
      <li>
        <ViewTab to="/books" search={{}} isCurrent={!isManaging}>
          Browse
        </ViewTab>
      </li>
      <li>
        <ViewTab to="/books/$view" params={{ view: 'organise' }} search={{}} isCurrent={isManaging}>
          Manage
        </ViewTab>
      </li>
    </ViewTabs>
  );
}

const COALESCE_MS = 250;

/** For each kind of event, the queries that it makes stale. */
const staleQueries: Readonly<Record<string, readonly string[]>> = {
  progress: ['progress', 'shelves', 'book', 'books'],
  bookmark: ['progress'],
  operation: ['operations', 'operation'],
  book: ['book', 'books', 'groups', 'group', 'shelves', 'libraries', 'history'],
  library: ['libraries', 'book', 'books', 'groups', 'group', 'shelves'],
  rights: ['rights', 'libraries', 'book', 'books', 'groups', 'group', 'shelves'],
};

const refreshStale = batched<string>(COALESCE_MS, (kinds) => {
  for (const part of new Set(kinds.flatMap((kind) => staleQueries[kind] ?? []))) refreshQueries('audiobooks', part);
});

function refreshAll(): void {
  void queryClient.invalidateQueries({ queryKey: ['audiobooks'] });
}

const bookStream = createConnection(booksApi.url('/events'), {
  onEvent({ event, data }) {
    if (event === 'reset') return refreshAll();
    if (event === 'progress') notifyPlayer(JSON.parse(data) as Progress);
    refreshStale(event);
  },
  onGap: refreshAll,
});
