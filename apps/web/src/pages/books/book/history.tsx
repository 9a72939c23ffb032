import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { booksApi } from '../../../api/clients.ts';
import type { Book, BookChange } from '../../../api/types.ts';
import { historyQuery } from '../../../api/audiobooks-queries.ts';
import { useAction } from '../../../api/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { MoreButton } from '../../../ui/more-button.tsx';
import { Time } from '../../../ui/time.tsx';
import { fieldLabel, sourceWords, valueText } from './fields.ts';

const SHORT = 6;

/** Changes to the book's metadata; each can be undone. */
export function History({ book }: { readonly book: Book }): ReactNode {
  const query = useInfiniteQuery(historyQuery(book.id));
  const [isOpen, setOpen] = useState(false);
  const changes = query.data?.pages.flatMap(({ data }) => data) ?? [];
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (changes.length === 0) return null;
  const shown = isOpen ? changes : changes.slice(0, SHORT);
  return (
    <Card title="History" isFlush>
      <ol className="divide-y divide-line border-t border-line">
        {shown.map((change) => (
          <Line key={change.id} book={book} change={change} />
        ))}
      </ol>
      {changes.length > SHORT && !isOpen && (
        <button
          type="button"
          onClick={() => setOpen(true)}
          className="w-full border-t border-line px-5 py-2.5 text-left text-[13px] font-medium text-accent-strong -outline-offset-2 hover:bg-sunken"
        >
          Show more changes
        </button>
      )}
      {isOpen && (
        <MoreButton query={query} size="small" className="border-t border-line px-5 py-3">
          Load more changes
        </MoreButton>
      )}
    </Card>
  );
}

function Line({ book, change }: { readonly book: Book; readonly change: BookChange }): ReactNode {
  const { id, field, before, after, source, at, by } = change;
  const undo = useAction({
    failed: 'Could not undo the change',
    done: () => `Undid the change to ${fieldLabel(field).toLowerCase()}`,
    touches: ['audiobooks'],
    run: () => booksApi.POST('/books/{book}/history/{entry}/undo', { params: { book: book.id, entry: id } }),
  });
  return (
    <li className="flex items-start gap-3 px-5 py-2.5">
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className="text-[13px] text-muted">
          <span className="font-medium text-text">{fieldLabel(field)}</span> {sourceWords(source)}
          {by !== '' && ` by ${by}`}, <Time at={at} />
        </p>
        <p className="break-words">
          <del dir="auto" className="text-bad">
            {valueText(before)}
          </del>{' '}
          <span aria-hidden>→</span>{' '}
          <ins dir="auto" className="text-good no-underline">
            {valueText(after)}
          </ins>
        </p>
      </div>
      <Button
        size="small"
        variant="quiet"
        aria-label={`Undo the change to ${fieldLabel(field).toLowerCase()}`}
        isBusy={undo.isPending}
        onClick={() => undo.mutate()}
      >
        Undo
      </Button>
    </li>
  );
}
