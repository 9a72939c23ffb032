import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { CopyCheck } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';

import { booksApi } from '../../../api/clients.ts';
import type { BookRow, Duplicates } from '../../../api/types.ts';
import { duplicatesQuery, rightsQuery } from '../../../api/audiobooks-queries.ts';
import { useAction } from '../../../api/use-action.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { MoreButton } from '../../../ui/more-button.tsx';
import { Page } from '../../../ui/page.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { BookCard } from '../book-card.tsx';
import { lengthText } from '../book-text.ts';

const reasons: Readonly<Record<string, string>> = {
  same_files: 'Identical audio',
  same_number: 'Same ISBN or ASIN',
  same_reading: 'Same work and narrators',
};

/** Possible duplicates, side by side. */
export function View(): ReactNode {
  const query = useInfiniteQuery(duplicatesQuery());
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const groups = query.data?.pages.flatMap(({ data }) => data) ?? [];
  // Skips pages without duplicates.
  useEffect(() => {
    if (groups.length === 0 && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [groups.length, hasNextPage, isFetchingNextPage, fetchNextPage]);
  return (
    <Page
      title="Duplicates"
      description="Possible duplicates. Keep one book: the others are hidden, and their listening progress moves to it."
    >
      {query.isError ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data === undefined || (groups.length === 0 && hasNextPage) ? (
        <Skeleton lines={6} />
      ) : groups.length === 0 ? (
        <Card isFlush>
          <EmptyState icon={CopyCheck} title="No duplicates">
            <p>Books are compared by audio, ISBN or ASIN, title, author and narrator.</p>
          </EmptyState>
        </Card>
      ) : (
        groups.map((group) => <Group key={group.books.map(({ id }) => id).join(' ')} group={group} />)
      )}
      {groups.length > 0 && <MoreButton query={query}>Load more duplicates</MoreButton>}
    </Page>
  );
}

function Group({ group }: { readonly group: Duplicates }): ReactNode {
  const mayEdit = useQuery(rightsQuery).data?.can.edit ?? false;
  const [kept, setKept] = useState<BookRow>();
  const others = group.books.filter(({ id }) => id !== kept?.id);
  const merge = useAction({
    failed: 'Could not merge the books',
    done: () => 'Books merged. You can undo this on the Operations page.',
    touches: ['audiobooks'],
    run: async () => {
      if (kept === undefined) return;
      for (const { id } of others) {
        await booksApi.POST('/duplicates/merge', {
          body: { keep: kept.id, drop: id },
          idempotencyKey: randomKey(),
        });
      }
    },
  });
  return (
    <Card title={reasons[group.reason] ?? group.reason}>
      <ul className="grid grid-cols-2 gap-x-4 gap-y-6 sm:grid-cols-[repeat(auto-fill,minmax(11rem,1fr))]">
        {group.books.map((book) => (
          <li key={book.id} className="grid content-start gap-3">
            <BookCard book={book} />
            <Differences book={book} />
            {mayEdit && (
              <Button
                size="small"
                aria-label={`Keep ${book.title}, ${lengthText(book.duration_ms)}`}
                onClick={() => setKept(book)}
              >
                Keep this book
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Confirm
        title="Merge these books?"
        action="Merge books"
        isOpen={kept !== undefined}
        isBusy={merge.isPending}
        onConfirm={() => merge.mutate(undefined, { onSuccess: () => setKept(undefined) })}
        onClose={() => setKept(undefined)}
      >
        <p dir="auto">{kept?.title} is kept. The other is hidden; its files stay in place.</p>
      </Confirm>
    </Card>
  );
}

function Differences({ book }: { readonly book: BookRow }): ReactNode {
  const facts = [
    // The card shows the remaining time of a started book instead.
    book.progress === null ? '' : lengthText(book.duration_ms),
    book.year === null ? '' : String(book.year),
    book.language ?? '',
    book.narrators.length === 0 ? '' : `read by ${book.narrators.join(', ')}`,
  ];
  return (
    <ul className="grid gap-0.5 text-[13px] text-muted">
      {facts
        .filter((fact) => fact !== '')
        .map((fact) => (
          <li key={fact} dir="auto" className="break-words">
            {fact}
          </li>
        ))}
    </ul>
  );
}
