import { useInfiniteQuery } from '@tanstack/react-query';
import { CopyCheck } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';

import { duplicatesQuery } from '../../../api/audiobooks-queries.ts';
import { booksApi } from '../../../api/clients.ts';
import type { BookRow, Duplicates } from '../../../api/types.ts';
import { useRows } from '../../../api/use-rows.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { ConfirmButton } from '../../../ui/dialog.tsx';
import { Card, EmptyState, MoreButton, NotLoaded, Page } from '../../../ui/page.tsx';
import { useBooksAction, useRights } from '../actions.ts';
import { BookCard } from '../book-list.tsx';
import { lengthText } from '../book-text.ts';

const reasons: Readonly<Record<string, string>> = {
  same_files: 'Identical audio',
  same_number: 'Same ISBN or ASIN',
  same_reading: 'Same work and narrators',
};

export function View(): ReactNode {
  const query = useInfiniteQuery(duplicatesQuery());
  const { rows: groups, more } = useRows(query);
  const isSearching = groups.length === 0 && query.hasNextPage;
  // Loads further pages until one contains duplicates.
  useEffect(() => {
    if (isSearching) more();
  }, [isSearching, more]);
  return (
    <Page
      title="Duplicates"
      description="Possible duplicates. Choose the book to keep. The others are hidden, and their listening progress moves to the book you keep."
    >
      {query.data === undefined || isSearching ? (
        <NotLoaded query={query} lines={6} />
      ) : groups.length === 0 ? (
        <Card isFlush>
          <EmptyState icon={CopyCheck} title="No duplicates">
            <p>Books are compared by audio, by ISBN or ASIN, and by title, author, narrator and duration.</p>
          </EmptyState>
        </Card>
      ) : (
        <>
          {groups.map((group) => (
            <DuplicateGroup key={group.books.map(({ id }) => id).join(' ')} group={group} />
          ))}
          <MoreButton query={query}>Load more duplicates</MoreButton>
        </>
      )}
    </Page>
  );
}

function DuplicateGroup({
  group: { reason, overlap_percent: overlap, books },
}: {
  readonly group: Duplicates;
}): ReactNode {
  const { edit } = useRights();
  return (
    <Card title={overlap === null ? (reasons[reason] ?? reason) : `${overlap} % identical audio`}>
      <ul className="grid grid-cols-2 gap-x-4 gap-y-6 sm:grid-cols-[repeat(auto-fill,minmax(11rem,1fr))]">
        {books.map((book) => (
          <li key={book.id} className="grid content-start gap-3">
            <BookCard book={book} />
            <Differences book={book} />
            {edit && <KeepButton book={book} others={books.filter(({ id }) => id !== book.id)} />}
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface KeepButtonProps {
  readonly book: BookRow;
  readonly others: readonly BookRow[];
}

function KeepButton({ book, others }: KeepButtonProps): ReactNode {
  const merge = useBooksAction({
    failed: 'Could not merge the books',
    done: () => 'Books merged. You can undo this on the Operations page.',
    run: async () => {
      for (const { id } of others) {
        await booksApi.POST('/duplicates/merge', { body: { keep: book.id, drop: id }, idempotencyKey: randomKey() });
      }
    },
  });
  return (
    <ConfirmButton
      size="small"
      aria-label={`Keep ${book.title}, ${lengthText(book.duration_ms)}`}
      title="Merge these books?"
      action="Merge books"
      mutation={merge}
      explanation={
        <p>
          <bdi>{book.title}</bdi> is kept. The other book is hidden; its files stay in place.
        </p>
      }
    >
      Keep this book
    </ConfirmButton>
  );
}

function Differences({
  book: { progress, duration_ms: length, year, language, narrators },
}: Pick<KeepButtonProps, 'book'>): ReactNode {
  const facts = [
    // The card shows the remaining time of a started book, so its total length is added here.
    progress !== null && lengthText(length),
    year,
    language,
    narrators.length > 0 && `read by ${narrators.join(', ')}`,
  ];
  return (
    <ul className="grid gap-0.5 text-[13px] text-muted">
      {facts
        .filter((fact) => fact !== null && fact !== false)
        .map((fact) => (
          <li key={fact}>
            <bdi className="break-words">{fact}</bdi>
          </li>
        ))}
    </ul>
  );
}
