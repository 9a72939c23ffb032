import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect } from 'react';

import { rightsQuery } from '../../api/audiobooks-queries.ts';
import { followStream } from '../../live/streams.ts';
import { NotFound } from '../../shell/error-pages.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ViewTab } from '../../ui/view-tab.tsx';
import { ViewTabs } from '../../ui/view-tabs.tsx';
import { bookStream } from './book-stream.ts';
import { BookPage, type BooksView, views } from './views.ts';

interface Params {
  readonly view?: string;
  readonly id?: string;
}

/** A view or a book: view names are words, book ids are not. */
export function Component(): ReactNode {
  const { view = '', id }: Params = useParams({ strict: false });
  const rights = useQuery(rightsQuery).data?.can;
  useEffect(() => followStream(bookStream, 'page'), []);
  const allowed = views.filter(({ needs }) => needs === undefined || rights?.[needs] === true);
  const chosen = views.find(({ name }) => name === view);
  return (
    <div className="mx-auto grid w-full max-w-6xl grid-cols-[minmax(0,1fr)] gap-6">
      <SubNavigation views={allowed} current={chosen?.name} />
      <Suspense fallback={<Skeleton lines={6} />}>
        {chosen === undefined ? <One key={view} id={view} /> : <chosen.View key={`${view} ${id ?? ''}`} id={id} />}
      </Suspense>
    </div>
  );
}

const BOOK_ID = /^[0-9A-HJKMNP-TV-Z]{26}$/u;

function One({ id }: { readonly id: string }): ReactNode {
  return BOOK_ID.test(id) ? <BookPage id={id} /> : <NotFound />;
}

interface SubNavigationProps {
  readonly views: readonly BooksView[];
  readonly current: string | undefined;
}

function SubNavigation({ views: allowed, current }: SubNavigationProps): ReactNode {
  return (
    <ViewTabs label="Audiobooks" current={current}>
      {allowed.map(({ name, label }) => (
        <li key={name}>
          <ViewTab to={name === '' ? '/books' : `/books/${name}`} search={{}} isCurrent={name === current}>
            {label}
          </ViewTab>
        </li>
      ))}
    </ViewTabs>
  );
}
