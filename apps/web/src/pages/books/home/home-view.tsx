import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Headphones } from 'lucide-react';
import { type ReactNode, useId } from 'react';

import { librariesQuery, rightsQuery, shelvesQuery } from '../../../api/audiobooks-queries.ts';
import type { BookRow, Shelves } from '../../../api/types.ts';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Page } from '../../../ui/page.tsx';
import { BookCard } from '../book-card.tsx';
import { RunningOperations } from '../operations/running.tsx';
import { AddLibrary } from './add-library.tsx';
import { ContinueShelf } from './continue-shelf.tsx';
import { LibrariesCard } from './libraries-card.tsx';

export function View(): ReactNode {
  const libraries = useQuery(librariesQuery);
  const shelves = useQuery(shelvesQuery);
  const manages = useQuery(rightsQuery).data?.can.manage ?? false;
  return (
    <Page title="Audiobooks">
      <RunningOperations />
      <Loaded query={libraries}>
        {(all) =>
          all.length === 0 ? (
            <NoLibrary manages={manages} />
          ) : (
            <>
              <Loaded query={shelves}>{(found) => <AllShelves shelves={found} />}</Loaded>
              <LibrariesCard libraries={all} manages={manages} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function AllShelves({ shelves }: { readonly shelves: Shelves }): ReactNode {
  const isEmpty = Object.values(shelves).every((books: readonly unknown[]) => books.length === 0);
  if (isEmpty) {
    return (
      <Card isFlush>
        <EmptyState icon={Headphones} title="No audiobooks yet">
          <p>Books appear here once a library has been scanned.</p>
        </EmptyState>
      </Card>
    );
  }
  return (
    <>
      <ContinueShelf books={shelves.continue} />
      <Shelf title="Next in your series" books={shelves.next_in_series} />
      <Shelf title="Recently added" books={shelves.recently_added} all={{ sort: 'added' }} />
      <Shelf title="Finished" books={shelves.finished} all={{ state: 'finished' }} />
    </>
  );
}

function NoLibrary({ manages }: { readonly manages: boolean }): ReactNode {
  return (
    <Card isFlush>
      <EmptyState icon={Headphones} title={manages ? 'Add your audiobooks' : 'No libraries yet'}>
        {manages ? (
          <>
            <p>
              Enter the folder on the server that contains them. Holdfast reads files in place, and changes nothing
              unless you ask it to.
            </p>
            <div className="mt-2 w-[min(28rem,78vw)] text-left text-text">
              <AddLibrary />
            </div>
          </>
        ) : (
          <p>You don&rsquo;t have access to a library. Ask an administrator to add one or to grant you access.</p>
        )}
      </EmptyState>
    </Card>
  );
}

interface ShelfProps {
  readonly title: string;
  readonly books: readonly BookRow[];
  /** Library filters that show all of these books. */
  readonly all?: Readonly<Record<string, string>>;
}

/** A row of books that scrolls sideways. */
function Shelf({ title, books, all }: ShelfProps): ReactNode {
  const id = useId();
  if (books.length === 0) return null;
  return (
    <section aria-labelledby={id} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {all !== undefined && (
          <Link
            to="/books/$view"
            params={{ view: 'library' }}
            search={all}
            aria-label={`Show all: ${title.toLowerCase()}`}
            className="text-[13px] font-medium text-accent-strong hover:underline"
          >
            Show all
          </Link>
        )}
      </div>
      <ul className="-mx-1 flex gap-4 overflow-x-auto px-1 pt-1 pb-3">
        {books.map((book) => (
          <li key={book.id} className="w-32 shrink-0 sm:w-36">
            <BookCard book={book} />
          </li>
        ))}
      </ul>
    </section>
  );
}
