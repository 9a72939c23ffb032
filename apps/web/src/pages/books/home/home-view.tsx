import { useQuery } from '@tanstack/react-query';
import { Headphones } from 'lucide-react';
import { type ReactNode, useId } from 'react';

import { librariesQuery, shelvesQuery } from '../../../api/audiobooks-queries.ts';
import type { BookRow, Shelves } from '../../../api/types.ts';
import { ProgressBar, Time } from '../../../ui/badge.tsx';
import { Card, EmptyState, Loaded, Page } from '../../../ui/page.tsx';
import { useRights } from '../actions.ts';
import { BookCard, BooksLink, NoBooks, PlayButton } from '../book-list.tsx';
import { authorsText, progressText } from '../book-text.ts';
import { Cover } from '../cover.tsx';
import { RunningOperations } from '../operations/operation-list.tsx';
import { DownloadsShelf } from './downloads-shelf.tsx';
import { AddLibrary, LibrariesCard } from './libraries-card.tsx';

export function View(): ReactNode {
  const libraries = useQuery(librariesQuery);
  const shelves = useQuery(shelvesQuery);
  const { manage } = useRights();
  return (
    <Page title="Audiobooks">
      <RunningOperations />
      <DownloadsShelf />
      <Loaded query={libraries}>
        {(all) =>
          all.length === 0 ? (
            <NoLibrary canAdd={manage} />
          ) : (
            <>
              <Loaded query={shelves}>{(found) => <AllShelves shelves={found} />}</Loaded>
              {manage && <LibrariesCard libraries={all} />}
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function NoLibrary({ canAdd }: { readonly canAdd: boolean }): ReactNode {
  return (
    <Card isFlush>
      <EmptyState icon={Headphones} title={canAdd ? 'Add your audiobooks' : 'No libraries yet'}>
        {canAdd ? (
          <>
            <p>
              Enter the folder on the server that contains your audiobooks. Holdfast reads the files in place and does
              not change them unless you ask it to.
            </p>
            <div className="mt-2 w-[min(28rem,78vw)] text-left text-text">
              <AddLibrary />
            </div>
          </>
        ) : (
          <p>You don&rsquo;t have access to any library. Ask an administrator to add one or to grant you access.</p>
        )}
      </EmptyState>
    </Card>
  );
}

function AllShelves({ shelves }: { readonly shelves: Shelves }): ReactNode {
  const isEmpty = Object.values(shelves).every((books: readonly unknown[]) => books.length === 0);
  if (isEmpty) {
    return (
      <Card isFlush>
        <NoBooks />
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

interface ShelfProps {
  readonly title: string;
  readonly books: readonly BookRow[];
  /** Library filters that show all books of the shelf. */
  readonly all?: Readonly<Record<string, string>>;
}

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
          <BooksLink
            view="library"
            search={all}
            aria-label={`Show all: ${title.toLowerCase()}`}
            className="text-[13px] font-medium text-accent-strong hover:underline"
          >
            Show all
          </BooksLink>
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

/** Books in progress, most recent first. */
function ContinueShelf({ books }: { readonly books: readonly BookRow[] }): ReactNode {
  if (books.length === 0) return null;
  return (
    <section aria-label="Continue listening" className="grid gap-3">
      <h2 className="font-semibold">Continue listening</h2>
      <ul className="grid gap-4 md:grid-cols-2">
        {books.map((book) => (
          <li key={book.id}>
            <StartedBook book={book} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function StartedBook({ book }: { readonly book: BookRow }): ReactNode {
  const { progress } = book;
  return (
    <article
      aria-label={book.title}
      className="flex h-full gap-4 rounded-xl border border-line bg-surface p-3 sm:gap-5 sm:p-4"
    >
      <BooksLink view={book.id} tabIndex={-1} aria-hidden className="w-24 shrink-0 sm:w-32">
        <Cover book={book} size={256} />
      </BooksLink>
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <div className="grid min-w-0 flex-1 content-start gap-0.5">
          <BooksLink view={book.id} className="line-clamp-2 text-[15px] leading-snug font-semibold hover:underline">
            <bdi className="break-words">{book.title}</bdi>
          </BooksLink>
          <bdi className="truncate text-[13px] text-muted">{authorsText(book)}</bdi>
          <p className="text-[13px] text-muted tabular-nums">
            {progressText(book)}
            {progress !== null && (
              <>
                {' · '}
                <Time at={progress.updated_at} />
              </>
            )}
          </p>
        </div>
        <ProgressBar label={`Progress in ${book.title}`} percent={progress?.percent ?? 0} />
        <div className="flex">
          <PlayButton book={book} />
        </div>
      </div>
    </article>
  );
}
